// Who moves and what holds it: shares of kinetic energy by body and of potential energy by force element.
import type { Choice } from './choice.ts';
import { make, makeSection } from './dom.ts';
import { percent } from './numbers.ts';

const mostBars = 8;
const smallestShare = 0.005;

interface Share {
  name: string;
  value: number;
}

/** The largest shares; elements that differ by their index only are one bar if there are too many. */
export function largestShares(shares: Record<string, number>): Share[] {
  const list = Object.entries(shares).map(([name, value]) => ({ name, value }));
  const grouped = list.length > mostBars ? groupedByName(list) : list;
  return grouped
    .filter(share => Math.abs(share.value) > smallestShare)
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .slice(0, mostBars);
}

function groupedByName(list: Share[]): Share[] {
  const sums = new Map<string, number>();
  for (const { name, value } of list) {
    const group = name.replaceAll(/\[\d+\]/g, '[…]');
    sums.set(group, (sums.get(group) ?? 0) + value);
  }
  return [...sums].map(([name, value]) => ({ name, value }));
}

function showBars(place: HTMLElement, shares: Record<string, number>, empty: string): void {
  const bars = largestShares(shares);
  const largest = Math.max(...bars.map(share => Math.abs(share.value)));
  place.replaceChildren(...bars.map(share => bar(share, largest)));
  if (bars.length === 0) place.replaceChildren(make('p', { class: 'quiet', text: empty }));
}

function bar(share: Share, largest: number): HTMLElement {
  const filling = make('span', { class: share.value < 0 ? 'filling negative' : 'filling' });
  filling.style.width = `${(100 * Math.abs(share.value)) / largest}%`;
  const name = make('span', { class: 'bar-name', text: share.name, attributes: { title: share.name } });
  const track = make('span', { class: 'track' }, filling);
  return make('div', { class: 'bar' }, name, track, make('span', { class: 'amount', text: percent(share.value) }));
}

export function showEnergies(choice: Choice): HTMLElement {
  const section = makeSection('energies', 'Energy', '', false);
  const kinetic = make('div');
  const potential = make('div');
  const stripes = make('span', { class: 'quiet', text: ' (striped: drives it on)' });
  section.append(make('h3', { text: 'Who moves: kinetic energy' }), kinetic);
  section.append(make('h3', { text: 'What holds it: potential energy' }, stripes), potential);
  choice.whenChanged(() => {
    const mode = choice.mode;
    const isFree = mode?.s[0] === 0 && mode.s[1] === 0;
    showBars(kinetic, mode?.kinetic_energy ?? {}, 'No single body has a share that would be seen.');
    showBars(
      potential,
      mode?.energy ?? {},
      isFree ? 'No force holds it: it is free to go.' : 'No single force has a share that would be seen.',
    );
  });
  return section;
}
