// The first screen in words: the verdict with its reason and certificate, and the numbers that matter.
import type { Controller, Mode, PageData } from './data.ts';
import { byId, make, makeParagraphs } from './dom.ts';
import { modesOfTheModel } from './choice.ts';
import { complex, counted, digits, percent } from './numbers.ts';

type Tone = 'good' | 'bad' | 'open';

const signs: Record<Tone, string> = { good: '✓', bad: '✕', open: '?' };

export function toneOf(verdict: string): Tone {
  if (/unstable/.test(verdict)) return 'bad';
  if (/oscillatory|neutral|undecided|unknown|singular|not /.test(verdict)) return 'open';
  return /stable/.test(verdict) ? 'good' : 'open';
}

/** The verdict as a badge: a sign, a word and a colour, so that none of them is needed alone. */
export function verdictBadge(verdict: string): HTMLElement {
  const tone = toneOf(verdict);
  const sign = make('span', { text: signs[tone], attributes: { 'aria-hidden': 'true' } });
  return make('span', { class: `verdict ${tone}` }, sign, ` ${verdict}`);
}

export function showVerdict(data: PageData): void {
  document.title = `${data.model.name}: ${data.verdict}`;
  byId('name').textContent = data.model.name;
  const badge = verdictBadge(data.verdict);
  badge.id = 'verdict';
  byId('verdict-place').append(badge);
  const reason = byId('reason');
  if (data.model.description) reason.append(make('p', { class: 'description', text: data.model.description }));
  reason.append(make('p', { text: `${sentence(data.verdict_reason)} ${basis(data)}`.trim() }));
  for (const text of certificates(data)) reason.append(make('p', { class: 'certificate', text }));
  if (data.verdict_words?.length) {
    const more = make('details', {}, make('summary', { text: 'Why this is so' }));
    more.append(...makeParagraphs(data.verdict_words));
    reason.append(more);
  }
  showFacts(data);
  showNotes('warnings', data.warnings);
  showNotes('left-out', data.left_out ?? []);
}

function sentence(text: string): string {
  if (!text) return '';
  const capital = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

const basis = (data: PageData): string => (data.verdict_basis ? `Judged by ${data.verdict_basis}.` : '');

/** What makes the numbers certain. */
function certificates(data: PageData): string[] {
  const texts: string[] = [];
  const count = data.methods[data.main]?.count;
  if (count) {
    const which = count.scope.startsWith('all') ? `${count.scope} eigenvalues` : `the eigenvalues of ${count.scope}`;
    texts.push(
      count.certified
        ? `Counted: ${count.found} of ${count.expected} (${which}); none is missing.`
        : `Found ${count.found} of ${count.expected} (${which}); the count is not certain.`,
    );
  }
  const equilibrium = data.equilibrium;
  if (equilibrium?.residual !== null && equilibrium?.residual !== undefined) {
    const where = equilibrium.worst_coordinate ? `, largest at ${equilibrium.worst_coordinate}` : '';
    texts.push(
      `${sentence(equilibrium.status).slice(0, -1)}: forces balance to ${digits(equilibrium.residual, 2)}${where}.`,
    );
  }
  return texts;
}

interface Fact {
  name: string;
  value: string;
  note: string;
}

function showFacts(data: PageData): void {
  const list = byId('facts');
  for (const fact of factsOf(data)) {
    const value = make('dd', { text: fact.value }, make('small', { text: fact.note }));
    list.append(make('div', {}, make('dt', { text: fact.name }), value));
  }
}

function factsOf(data: PageData): Fact[] {
  const { model } = data;
  const modes = modesOfTheModel(data.methods[data.main]?.modes ?? []);
  const independent = model.coordinates - model.dof;
  const held =
    independent === model.constraints
      ? counted(independent, 'constraint')
      : counted(independent, 'independent constraint');
  const facts: Fact[] = [
    {
      name: 'degrees of freedom',
      value: String(model.dof),
      note: `${counted(model.coordinates, 'coordinate')} − ${held}`,
    },
  ];
  facts.push(...frequencyFacts(modes), ...dampingFacts(modes));
  const redundant = model.redundant_equations;
  facts.push({
    name: 'redundant constraints',
    value: String(redundant),
    note: redundant
      ? model.redundant.flat().slice(0, 3).join(', ')
      : model.constraints
        ? 'each one counts'
        : 'there is none at all',
  });
  facts.push(...controllerFacts(model.controllers ?? []));
  const { warnings } = data;
  facts.push({
    name: 'warnings',
    value: String(warnings.length),
    note: warnings.length ? 'listed here' : 'nothing to warn of',
  });
  return facts;
}

function controllerFacts(controllers: Controller[]): Fact[] {
  if (controllers.length === 0) return [];
  const states = controllers.reduce((sum, one) => sum + one.states.length, 0);
  const names = controllers.slice(0, 3).map(one => one.name);
  const more = controllers.length > names.length ? ', …' : '';
  return [
    {
      name: 'controllers in closed loop',
      value: String(controllers.length),
      note: `${names.join(', ')}${more}; ${counted(states, 'state')}`,
    },
  ];
}

const oscillates = (mode: Mode): boolean => (mode.s[1] ?? 0) > 0;

function frequencyFacts(modes: Mode[]): Fact[] {
  const byFrequency = modes
    .filter(oscillates)
    .sort((one, other) => (one.frequency_hz ?? 0) - (other.frequency_hz ?? 0));
  const lowest = byFrequency[0];
  if (!lowest) return [{ name: 'lowest frequency', value: '–', note: 'nothing oscillates' }];
  return [
    {
      name: 'lowest frequency',
      value: `${digits(lowest.frequency_hz, 4)} Hz`,
      note: `period ${digits(1 / (lowest.frequency_hz ?? NaN), 3)} s`,
    },
  ];
}

function dampingFacts(modes: Mode[]): Fact[] {
  const facts: Fact[] = [];
  const least = modes.filter(oscillates).sort((one, other) => (one.damping_ratio ?? 0) - (other.damping_ratio ?? 0))[0];
  if (least) {
    const undamped = Math.abs(least.damping_ratio ?? 0) < 1e-12;
    const value = undamped ? 'none' : percent(least.damping_ratio);
    facts.push({ name: 'least damping', value, note: `at ${digits(least.frequency_hz, 4)} Hz` });
  } else facts.push({ name: 'least damping', value: '–', note: 'nothing oscillates' });
  const slowest = [...modes].sort((one, other) => (other.s[0] ?? 0) - (one.s[0] ?? 0))[0];
  const rate = slowest?.s[0];
  if (slowest && rate !== null && rate !== undefined && Math.abs(rate) > 1e-9 * Math.hypot(rate, slowest.s[1] ?? 0)) {
    const grows = rate > 0;
    facts.push({
      name: grows ? 'fastest growth' : 'slowest decay',
      value: `${digits(1 / Math.abs(rate), 3)} s`,
      note: `${grows ? 'to e times as much' : 'to 1/e'}, s = ${complex(rate, slowest.s[1], 3)}`,
    });
  } else if (slowest) facts.push({ name: 'slowest decay', value: 'none', note: 'one mode neither decays nor grows' });
  return facts;
}

function showNotes(id: string, texts: string[]): void {
  const list = byId(id);
  list.hidden = texts.length === 0;
  for (const text of texts) list.append(make('li', { text }));
}
