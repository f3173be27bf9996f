// Which mode is looked at. The plane, the table, the energies and the mechanism all listen here, and none to another.
import type { Mode, PageData } from './data.ts';

/** Modes that belong together: those of the model, of one branch, of another equilibrium. */
export interface ModeList {
  title: string;
  modes: Mode[];
  main: boolean;
}

type Listener = () => void;

export class Choice {
  selected = 0;
  private readonly listeners: Listener[] = [];

  constructor(
    readonly lists: ModeList[],
    public list: ModeList,
  ) {}

  get modes(): Mode[] {
    return this.list.modes;
  }

  get mode(): Mode | undefined {
    return this.modes[this.selected];
  }

  whenChanged(listener: Listener): void {
    this.listeners.push(listener);
  }

  choose(index: number): void {
    this.selected = Math.max(0, Math.min(this.modes.length - 1, index));
    this.tell();
  }

  chooseList(list: ModeList): void {
    this.list = list;
    this.selected = 0;
    this.tell();
  }

  tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** One of each conjugate pair, and none that the model does not have. */
export function modesOfTheModel(modes: Mode[]): Mode[] {
  return modes.filter(mode => mode.class !== 'spurious' && upperHalf(mode) && mode.s[0] !== null);
}

export const upperHalf = (mode: Mode): boolean => mode.s[1] === null || mode.s[1] >= 0;

export function listsOfModes(data: PageData): ModeList[] {
  const lists: ModeList[] = [
    { title: 'The model', modes: modesOfTheModel(data.methods[data.main]?.modes ?? []), main: true },
  ];
  for (const branch of data.branches ?? [])
    if (branch.modes?.length) lists.push({ title: branch.name, modes: modesOfTheModel(branch.modes), main: false });
  for (const other of data.equilibria ?? [])
    if (other.modes?.length) lists.push({ title: other.name, modes: modesOfTheModel(other.modes), main: false });
  return lists;
}
