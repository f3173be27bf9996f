// Constraints that say again what others say already: which, why, what to release; a button shows each in the drawing.
import type { PageData, RedundantConstraint } from './data.ts';
import { make, makeButton, makeParagraphs, makeSection } from './dom.ts';
import type { MechanismView } from './mechanism_view.ts';

const mostListed = 40;

export function showRedundancy(data: PageData, view: MechanismView | undefined): HTMLElement | undefined {
  const redundancy = data.redundancy;
  const listed = redundancy?.constraints ?? [];
  const groups = data.model.redundant.filter(group => group.length > 0);
  if (listed.length === 0 && groups.length === 0 && !redundancy?.words.length) return undefined;
  const many = data.model.redundant_equations || listed.length;
  const section = makeSection('redundancy', 'Redundant constraints', `${many} too many`);
  section.append(...makeParagraphs(redundancy?.words ?? groups.map(wordsOfGroup)));
  const list = make('ul', { class: 'constraints' });
  for (const constraint of listed.slice(0, mostListed)) list.append(entryOf(constraint, view));
  section.append(list);
  if (listed.length > mostListed)
    section.append(
      make('p', { class: 'quiet', text: `And ${listed.length - mostListed} more; the saved JSON holds them all.` }),
    );
  return section;
}

const mostNamed = 16;

function wordsOfGroup(group: string | string[]): string {
  if (typeof group === 'string') return `${group} says again what others say.`;
  const rest = group.length > mostNamed ? ` and ${group.length - mostNamed} more` : '';
  return `These constraints depend on each other: ${group.slice(0, mostNamed).join(', ')}${rest}.`;
}

function entryOf(constraint: RedundantConstraint, view: MechanismView | undefined): HTMLElement {
  const entry = make('li', {}, make('b', { text: constraint.name }));
  if (constraint.loop?.length) entry.append(`, in the loop ${constraint.loop.join(' – ')}`);
  if (constraint.said_by?.length) entry.append(`; said already by ${constraint.said_by.join(', ')}`);
  if (constraint.release) entry.append(make('p', { text: constraint.release }));
  const names = [constraint.joint, ...(constraint.loop ?? [])].filter(name => name !== undefined);
  if (view && names.length > 0) entry.append(' ', highlighter(view, constraint.name, new Set(names)));
  return entry;
}

function highlighter(view: MechanismView, name: string, names: ReadonlySet<string>): HTMLElement {
  const button = makeButton(
    'show',
    () => {
      const on = button.getAttribute('aria-pressed') !== 'true';
      for (const other of document.querySelectorAll('#redundancy button')) other.setAttribute('aria-pressed', 'false');
      button.setAttribute('aria-pressed', String(on));
      view.highlighted = on ? names : new Set();
      view.redraw();
      if (on) view.canvas.scrollIntoView({ block: 'nearest' });
    },
    `Show ${name} in the drawing`,
  );
  button.setAttribute('aria-pressed', 'false');
  return button;
}
