// The page: opens the data that the tool put into it, and shows a section for everything there is something to say about.
import { showBranches, showEquilibria, tangentsAsModes } from './branches.ts';
import { Choice, listsOfModes } from './choice.ts';
import { showComparison } from './comparison.ts';
import type { OtherEquilibrium, PageData } from './data.ts';
import { byId, make } from './dom.ts';
import { showEnergies } from './energies.ts';
import { showAtRest } from './first_view.ts';
import { listenToKeys } from './keyboard.ts';
import { redrawEveryView, type MechanismView } from './mechanism_view.ts';
import { ModeTable } from './mode_table.ts';
import { ModeView } from './mode_view.ts';
import { openMotions } from './motion.ts';
import { unpackObject } from './packed.ts';
import { poseAtRest, posesOfEquilibria, type Pose } from './pose.ts';
import { showProvenance } from './provenance.ts';
import { showRedundancy } from './redundancy.ts';
import { showResponses } from './response.ts';
import { showRootLocus } from './root_locus.ts';
import { dataButtons, pictureButtons } from './save.ts';
import type { Scene } from './scene.ts';
import { showSparsity } from './sparsity.ts';
import { SpectrumView } from './spectrum.ts';
import { showMotionInTime } from './time_view.ts';
import { showVerdict } from './verdict.ts';

interface OpenScene {
  scene: Scene;
  rest: Pose;
  others: Map<string, Pose>; // the poses of other equilibria
}

async function showPage(): Promise<void> {
  const text = byId('data').textContent ?? '';
  const data = JSON.parse(text) as PageData;
  showVerdict(data);
  tangentsAsModes(data);
  const lists = listsOfModes(data);
  // At a singular configuration only the modes of its branches have motions.
  const choice = new Choice(lists, lists.find(list => list.modes.some(mode => mode.motion !== undefined)) ?? lists[0]!);
  const opened = data.scene ? await openScene(data.scene, data.equilibria ?? []) : undefined;

  const canSave = (view: MechanismView): HTMLElement[] => pictureButtons(data, view);
  const first = opened && hasParts(opened.scene) ? showAtRest(opened.scene, opened.rest, canSave) : undefined;
  const modeView = first && opened ? await showModes(data, choice, opened, canSave) : undefined;

  const sections = [
    modeView?.section,
    choice.modes.length > 0 ? new SpectrumView(data, choice).section : undefined,
    new ModeTable(choice).section,
    await showResponses(data, choice),
    hasEnergies(choice) ? showEnergies(choice) : undefined,
    showBranches(data, choice),
    showEquilibria(data, choice, opened?.scene, opened?.others ?? new Map<string, Pose>()),
    opened ? await showMotionInTime(data, opened.scene, opened.rest) : undefined,
    showRootLocus(data),
    showRedundancy(data, first),
    showComparison(data),
    showSparsity(data),
    showProvenance(data, dataButtons(data, text, lists[0]!.modes)),
  ].filter(section => section !== undefined);
  widenLonelySections(sections);
  byId('main').append(...sections);

  listenToTheme();
  listenToPrint(modeView);
  listenToKeys(choice, modeView);
  keepAddress(choice);
  startPlaying(modeView);
  letTestsLook(modeView);
}

async function openScene(stored: Scene | { gzip: string }, equilibria: OtherEquilibrium[]): Promise<OpenScene> {
  const scene = await unpackObject(stored);
  return { scene, rest: poseAtRest(scene.frames), others: await posesOfEquilibria(equilibria, scene) };
}

const hasParts = (scene: Scene): boolean => scene.frames.length + scene.elements.length > 0;

async function showModes(
  data: PageData,
  choice: Choice,
  { scene, rest, others }: OpenScene,
  canSave: (view: MechanismView) => HTMLElement[],
): Promise<ModeView | undefined> {
  if (scene.motions.length === 0) return undefined;
  const motions = await openMotions(scene, rest, others);
  const why = data.branches?.length
    ? 'Choose a branch to see how it moves.'
    : 'This mode has no picture of its motion.';
  for (const mode of data.methods[data.main]?.modes ?? []) mode.motion_missing ??= why;
  return new ModeView(choice, scene, rest, others, motions, canSave);
}

const hasEnergies = (choice: Choice): boolean =>
  choice.modes.some(mode => Object.keys({ ...mode.kinetic_energy, ...mode.energy }).length > 0);

/** Two narrow sections stand side by side; one without its neighbour takes the whole width. */
function widenLonelySections(sections: HTMLElement[]): void {
  sections.forEach((section, index) => {
    if (section.classList.contains('wide')) return;
    const narrowBefore = sections
      .slice(0, index)
      .reverse()
      .findIndex(other => other.classList.contains('wide'));
    const runLength = narrowBefore === -1 ? index : narrowBefore;
    const next = sections[index + 1];
    const startsPair = runLength % 2 === 0;
    if (startsPair && (!next || next.classList.contains('wide'))) section.classList.add('wide');
  });
}

function listenToTheme(): void {
  const root = document.documentElement;
  byId('theme').addEventListener('click', () => {
    const isDark = getComputedStyle(root).colorScheme === 'dark';
    root.dataset['theme'] = isDark ? 'light' : 'dark';
    redrawEveryView();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawEveryView);
}

/** Paper is white and does not move: it gets several instants at once. */
function listenToPrint(modeView: ModeView | undefined): void {
  let played = false;
  matchMedia('print').addEventListener('change', event => {
    if (event.matches) {
      played = modeView?.plays ?? false;
      modeView?.showStill();
    } else if (played) modeView?.play(true);
    redrawEveryView();
  });
}

function keepAddress(choice: Choice): void {
  const asked = /mode=(\d+)/.exec(location.hash)?.[1];
  choice.choose(asked ? Number(asked) - 1 : firstToShow(choice));
  choice.whenChanged(() => {
    if (choice.list.main) history.replaceState(null, '', `#mode=${choice.selected + 1}`);
  });
  addEventListener('hashchange', () => choice.choose(Number(/mode=(\d+)/.exec(location.hash)?.[1] ?? 1) - 1));
}

/** The mode that makes it unstable, if there is one, else the first. */
function firstToShow(choice: Choice): number {
  const rates = choice.modes.map(mode => (mode.motion === undefined ? -Infinity : (mode.s[0] ?? -Infinity)));
  const largest = Math.max(...rates);
  const [real, imaginary] = choice.modes[rates.indexOf(largest)]?.s ?? [0, 0];
  return largest > 1e-6 * Math.hypot(real ?? 0, imaginary ?? 0) ? rates.indexOf(largest) : 0;
}

function startPlaying(modeView: ModeView | undefined): void {
  if (!modeView) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  if (still.matches) modeView.showStill();
  else modeView.play(true);
  still.addEventListener('change', event => event.matches && modeView.showStill());
}

/** What the browser tests ask: is the page there, and how far are joints open in what it draws? */
function letTestsLook(modeView: ModeView | undefined): void {
  const looks = {
    gapNow: (): number => modeView?.gapNow() ?? 0,
    gapOverACycle: (): number => modeView?.gapOverACycle() ?? 0,
  };
  Object.assign(globalThis, { stillpoint: looks });
  document.documentElement.dataset['ready'] = 'yes';
}

showPage().catch((error: unknown) => {
  const text = `This page could not be shown: ${error instanceof Error ? error.message : String(error)}`;
  byId('main').prepend(make('p', { class: 'failure', text, attributes: { role: 'alert' } }));
  throw error;
});
