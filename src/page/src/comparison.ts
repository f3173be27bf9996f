// The three methods side by side, and which one suits this model.
import type { MethodResult, PageData } from './data.ts';
import { make, makeParagraphs, makeSection } from './dom.ts';
import { digits, duration } from './numbers.ts';
import { methodNames } from './roots.ts';

const fullNames = {
  mcs: 'MCS, minimal coordinates',
  rcs: 'RCS, redundant coordinates',
  ucs: 'UCS, constraints as penalties',
};

export function showComparison(data: PageData): HTMLElement | undefined {
  const present = methodNames.filter(method => data.methods[method]);
  if (present.length === 0 || (present.length === 1 && data.advice.length === 0)) return undefined;
  const section = makeSection('comparison', 'Methods');
  section.append(...makeParagraphs(data.advice));
  const head = make(
    'tr',
    {},
    ...['Method', 'Order', 'True', 'Spurious', 'Largest difference', 'Time', 'Solver'].map(headCell),
  );
  const body = make('tbody');
  for (const method of present) {
    const result = data.methods[method]!;
    const name = make('th', { text: fullNames[method], attributes: { scope: 'row' } });
    body.append(make('tr', {}, name, ...cells(result, data.differences?.[method], method === data.main)));
  }
  const scroll = make('div', {
    class: 'scroll',
    attributes: { tabindex: '0', role: 'region', 'aria-label': 'Table of methods' },
  });
  scroll.append(
    make(
      'table',
      { class: 'methods', attributes: { 'aria-labelledby': 'comparison-title' } },
      make('thead', {}, head),
      body,
    ),
  );
  section.append(scroll);
  return section;
}

const headCell = (text: string): HTMLElement => make('th', { text, attributes: { scope: 'col' } });

function cells(result: MethodResult, difference: number | null | undefined, isMain: boolean): HTMLElement[] {
  if (!result.computed) {
    const cell = make('td', { class: 'words', text: result.message ?? 'not computed' });
    cell.colSpan = 6;
    return [cell];
  }
  const roots = result.count ? String(result.count.found) : String(result.modes.length);
  const apart = isMain ? 'the measure' : digits(difference, 2);
  const time = duration(result.seconds);
  const texts = [String(result.size), roots, String(result.spurious), apart, time];
  return [...texts.map(text => make('td', { text })), make('td', { class: 'words', text: result.solver ?? '' })];
}
