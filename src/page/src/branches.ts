// The branches of a singular configuration, and other equilibria: what each is like, and its modes in the table.
import type { Choice } from './choice.ts';
import type { Mode, OtherEquilibrium, PageData } from './data.ts';
import { make, makeButton, makeSection } from './dom.ts';
import { MechanismView } from './mechanism_view.ts';
import { digits } from './numbers.ts';
import type { Pose } from './pose.ts';
import type { Scene } from './scene.ts';
import { verdictBadge } from './verdict.ts';

interface Way {
  name: string;
  description: string;
  verdict: string | undefined;
  modes: Mode[];
  tangent: number | undefined;
}

export function showBranches(data: PageData, choice: Choice): HTMLElement | undefined {
  const ways = (data.branches ?? []).map(branch => ({
    name: branch.name,
    description: branch.description ?? '',
    verdict: branch.verdict,
    modes: branch.modes ?? [],
    tangent: branch.tangent_motion,
  }));
  if (ways.length === 0) return undefined;
  const note = 'this configuration is singular: it can move in more than one way';
  return sectionOf('branches', 'Branches', note, ways, choice);
}

export function showEquilibria(
  data: PageData,
  choice: Choice,
  scene: Scene | undefined,
  poses: Map<string, Pose>,
): HTMLElement | undefined {
  const ways = (data.equilibria ?? []).map(other => ({
    name: other.name,
    description: wordsOf(other),
    verdict: other.verdict,
    modes: other.modes ?? [],
    tangent: undefined,
  }));
  if (ways.length === 0) return undefined;
  const section = sectionOf('equilibria', 'Other equilibria', 'found from random starts', ways, choice);
  const entries = [...section.querySelectorAll('li')];
  ways.forEach((way, index) => {
    const pose = poses.get(way.name);
    if (!scene || !pose) return;
    section.querySelector('ul')!.classList.add('pictured');
    entries[index]!.prepend(new MechanismView(scene, pose, `${scene.model.name} in ${way.name}`).canvas);
  });
  return section;
}

function wordsOf(other: OtherEquilibrium): string {
  const energy = other.energy === undefined || other.energy === null ? '' : `potential energy ${digits(other.energy)} J`;
  return [energy, other.description ?? ''].filter(text => text !== '').join('; ');
}

function sectionOf(id: string, title: string, note: string, ways: Way[], choice: Choice): HTMLElement {
  const section = makeSection(id, title, note);
  const list = make('ul', { class: 'ways' });
  for (const way of ways) list.append(entryOf(way, choice));
  section.append(list);
  return section;
}

function entryOf(way: Way, choice: Choice): HTMLElement {
  const entry = make('li', {}, make('b', { text: way.name }));
  if (way.verdict) entry.append(' ', verdictBadge(way.verdict));
  if (way.description) entry.append(make('p', { text: way.description }));
  const list = choice.lists.find(known => known.title === way.name);
  if (list) entry.append(makeButton('its modes', () => showList(choice, list), `Show its modes: ${way.name}`));
  return entry;
}

function showList(choice: Choice, list: Choice['list']): void {
  choice.chooseList(list);
  document.getElementById('motion')?.scrollIntoView({ block: 'start' });
}

/** The way along a branch is played like a mode: it is the first of its list. */
export function tangentsAsModes(data: PageData): void {
  for (const branch of data.branches ?? []) {
    if (branch.tangent_motion === undefined) continue;
    const tangent: Mode = {
      s: [0, 0],
      frequency_hz: 0,
      damping_ratio: null,
      class: 'true',
      description: `the way along ${branch.name}`,
      motion: branch.tangent_motion,
    };
    branch.modes = [tangent, ...(branch.modes ?? [])];
  }
}
