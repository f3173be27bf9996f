// The table of modes: sorted by any column, filtered by what moves, walked through by keyboard.
import type { Choice, ModeList } from './choice.ts';
import type { Mode } from './data.ts';
import { make, makeChoice, makeSection } from './dom.ts';
import { digits, percent } from './numbers.ts';

interface Column {
  title: string;
  key(mode: Mode, index: number): number | string;
  text(mode: Mode, index: number): string;
}

const number = (value: number | null | undefined): number => value ?? Number.POSITIVE_INFINITY;

const columns: Column[] = [
  { title: 'Mode', key: (_mode, index) => index, text: (_mode, index) => String(index + 1) },
  { title: 'Hz', key: mode => number(mode.frequency_hz), text: frequencyText },
  { title: 'Damping', key: mode => number(mode.damping_ratio), text: dampingText },
  { title: 'Re s', key: mode => number(mode.s[0]), text: mode => digits(mode.s[0]) },
  { title: 'Im s', key: mode => number(mode.s[1]), text: mode => digits(mode.s[1], 6) },
  { title: '± error', key: mode => number(mode.error), text: mode => digits(mode.error, 1) },
];

const classColumn: Column = { title: 'Class', key: mode => mode.class, text: mode => mode.class };

function frequencyText(mode: Mode): string {
  return mode.s[1] === 0 && mode.s[0] !== 0 ? '–' : digits(mode.frequency_hz);
}

function dampingText(mode: Mode): string {
  if (mode.s[1] !== 0) return Math.abs(mode.damping_ratio ?? 0) < 1e-12 ? '0 %' : percent(mode.damping_ratio);
  if (mode.s[0] === 0) return 'neutral';
  return (mode.s[0] ?? 0) < 0 ? 'decays' : 'grows';
}

/** Rows in the order wanted: those whose description or class holds every word of the filter. */
export function rowsOf(modes: Mode[], filter: string, column: Column, ascending: boolean): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (mode: Mode): string => `${mode.description ?? ''} ${mode.class}`.toLowerCase();
  const rows = modes
    .map((_mode, index) => index)
    .filter(index => words.every(word => text(modes[index]!).includes(word)));
  const sign = ascending ? 1 : -1;
  return rows.sort(
    (one, other) => sign * compare(column.key(modes[one]!, one), column.key(modes[other]!, other)) || one - other,
  );
}

function compare(one: number | string, other: number | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export class ModeTable {
  readonly section = makeSection('modes', 'Modes', 'a row shows its motion above');
  private readonly head = make('tr');
  private readonly body = make('tbody');
  private readonly filter = make('input', {
    attributes: { type: 'search', id: 'filter', placeholder: 'body, spring, class' },
  });
  private readonly empty = make('p', { class: 'quiet', text: 'No mode has these words.' });
  private columns: Column[] = [];
  private order: Column = columns[0]!;
  private ascending = true;
  private listShown: ModeList | undefined;

  constructor(private readonly choice: Choice) {
    const tools = make('div', { class: 'controls' }, make('label', {}, 'Only modes with ', this.filter));
    if (choice.lists.length > 1) tools.append(this.listChoice());
    const table = make(
      'table',
      { attributes: { 'aria-labelledby': 'modes-title' } },
      make('thead', {}, this.head),
      this.body,
    );
    const scroll = make('div', {
      class: 'scroll',
      attributes: { tabindex: '0', role: 'region', 'aria-label': 'Table of modes' },
    });
    scroll.append(table);
    this.section.append(tools, scroll, this.empty);
    this.filter.addEventListener('input', () => this.show());
    this.body.addEventListener('keydown', event => this.walk(event));
    choice.whenChanged(() => (choice.list === this.listShown ? this.mark() : this.show()));
  }

  private listChoice(): HTMLElement {
    const choices = this.choice.lists.map((list, index) => ({ value: String(index), text: list.title }));
    const label = makeChoice('of ', choices, value => this.choice.chooseList(this.choice.lists[Number(value)]!));
    const select = label.querySelector('select')!;
    const follow = (): void => {
      select.value = String(this.choice.lists.indexOf(this.choice.list));
    };
    follow();
    this.choice.whenChanged(follow);
    return label;
  }

  show(): void {
    this.showHead();
    const { modes } = this.choice;
    const rows = rowsOf(modes, this.filter.value, this.order, this.ascending);
    this.body.replaceChildren(...rows.map(index => this.row(modes[index]!, index)));
    this.empty.hidden = rows.length > 0;
    this.listShown = this.choice.list;
    this.mark();
  }

  /** The row of the chosen mode. */
  private mark(): void {
    this.body.querySelector('tr[aria-current]')?.removeAttribute('aria-current');
    this.body.querySelector(`tr[data-mode="${this.choice.selected}"]`)?.setAttribute('aria-current', 'true');
  }

  private showHead(): void {
    const undecided = this.choice.modes.some(mode => mode.class !== 'true');
    const wanted = undecided ? [...columns, classColumn] : columns;
    if (wanted.length !== this.columns.length) {
      this.columns = wanted;
      const cells = wanted.map(column => this.headCell(column));
      this.head.replaceChildren(
        ...cells,
        make('th', { class: 'words', text: 'What moves', attributes: { scope: 'col' } }),
      );
    }
    this.columns.forEach((column, place) => {
      const cell = this.head.children[place]!;
      if (column === this.order) cell.setAttribute('aria-sort', this.ascending ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
    });
  }

  private headCell(column: Column): HTMLElement {
    const button = make('button', { text: column.title, attributes: { type: 'button' } });
    button.addEventListener('click', () => {
      this.ascending = this.order === column ? !this.ascending : true;
      this.order = column;
      this.show();
    });
    return make('th', { attributes: { scope: 'col' } }, button);
  }

  private row(mode: Mode, index: number): HTMLElement {
    const row = make('tr', { attributes: { 'data-mode': String(index) } });
    this.columns.forEach((column, place) => {
      const text = column.text(mode, index);
      row.append(place === 0 ? this.firstCell(text, index) : make('td', { text }));
    });
    row.append(make('td', { class: 'words', text: mode.description ?? '' }));
    row.addEventListener('click', () => this.choice.choose(index));
    return row;
  }

  private firstCell(text: string, index: number): HTMLElement {
    const label = { type: 'button', 'aria-label': `Show mode ${index + 1}` };
    return make('td', {}, make('button', { text, attributes: label }));
  }

  /** ↑ and ↓ go through the rows as they are sorted. */
  private walk(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const rows = [...this.body.children] as HTMLElement[];
    const here = rows.findIndex(row => row.contains(document.activeElement));
    const next = rows[Math.max(0, Math.min(rows.length - 1, here + step))];
    if (next) this.choice.choose(Number(next.dataset['mode']));
    this.focusChosen();
  }

  private focusChosen(): void {
    const button = this.body.querySelector<HTMLElement>('tr[aria-current] button');
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: 'nearest' });
  }
}
