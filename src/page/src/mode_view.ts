// The mechanism moving in the chosen mode, with its numbers, its sentence and the controls.
import type { Choice } from './choice.ts';
import type { Mode } from './data.ts';
import { make, makeCheckbox, makeSection } from './dom.ts';
import { zoomButtons } from './first_view.ts';
import { largestGap } from './gaps.ts';
import { MechanismView, pointsToHold } from './mechanism_view.ts';
import type { Motion } from './motion.ts';
import { complex, digits, percent } from './numbers.ts';
import { amplitudesAt, Clock, growthPerCycle } from './playback.ts';
import { Pose } from './pose.ts';
import type { Place, Scene, Vector } from './scene.ts';
import { pathsOver, tracedPlaces } from './traces.ts';

const instantsOfAStill = [0.125, 0.25, 0.375, 0.5]; // cycles, besides 0

/** Above so many numbers a pose, every second picture is left out, so that the page stays at hand. */
const mostNumbersInATrace = 2e5;
const mostNumbersToHold = 1e6;

export class ModeView {
  readonly section: HTMLElement;
  readonly view: MechanismView;
  private readonly title = make('span', { class: 'mode-title', attributes: { id: 'mode-name' } });
  private readonly numbers = make('span', { attributes: { id: 'mode-numbers' } });
  private readonly words = make('p', { class: 'mode-words', attributes: { id: 'mode-words', 'aria-live': 'polite' } });
  private readonly statement = make('p', { class: 'quiet', attributes: { id: 'statement' } });
  private readonly playButton = make('button', { class: 'play', attributes: { type: 'button', id: 'play' } });
  private readonly amplitude = slider('amplitude', 0, 100, 100);
  private readonly speed = slider('speed', -20, 20, 0);
  private readonly phase = slider('phase', 0, 360, 0);
  private readonly decay = make('input', { attributes: { type: 'checkbox', id: 'decay' } });
  private readonly decayWord = make('span');
  private readonly clock = new Clock(seconds => this.tick(seconds));
  private readonly pose: Pose;
  private readonly places: Place[];
  private paths: Vector[][] = [];
  private cycles = 0;
  private motion: Motion | undefined;
  private decayIsChosen = false;
  private still = false;

  constructor(
    private readonly choice: Choice,
    private readonly scene: Scene,
    private readonly restOfModel: Pose,
    private readonly others: Map<string, Pose>,
    private readonly motions: Motion[],
    canSave: (view: MechanismView) => HTMLElement[],
  ) {
    this.pose = new Pose(restOfModel.frames);
    this.view = new MechanismView(scene, restOfModel, `${scene.model.name} in the chosen mode`);
    this.view.canvas.id = 'mechanism';
    this.holdAllMotions();
    this.places = this.view.drawing.detail() === 'full' ? tracedPlaces(scene, restOfModel) : [];
    this.section = makeSection('motion', '', '', false);
    this.section.querySelector('h2')!.replaceChildren(this.title, this.numbers);
    this.section.append(this.view.canvas, this.words, this.controls(canSave), this.statement);
    choice.whenChanged(() => this.change());
  }

  /** Where the mechanism rests in the modes that are looked at: of another equilibrium it is elsewhere. */
  private get rest(): Pose {
    return this.others.get(this.choice.list.title) ?? this.restOfModel;
  }

  /** The picture has room for every motion, so that it stays where it is when the mode changes. */
  private holdAllMotions(): void {
    const points = [this.restOfModel, ...this.others.values()].flatMap(pose => pointsToHold(this.scene, pose));
    const numbers = this.motions.reduce((sum, motion) => sum + this.rest.frames * motion.stored.powers.length, 0);
    if (numbers > mostNumbersToHold) return;
    for (const motion of this.motions) {
      for (const [a, b] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        if (b !== 0 && motion.stored.kind !== 'oscillating') continue;
        points.push(...pointsToHold(this.scene, motion.at(a, b, this.pose)));
      }
    }
    this.view.hold(points);
  }

  private controls(canSave: (view: MechanismView) => HTMLElement[]): HTMLElement {
    this.playButton.addEventListener('click', () => this.play(!this.clock.runs));
    this.amplitude.addEventListener('input', () => this.amplitudeChanged());
    this.speed.addEventListener('input', () => this.describe());
    this.phase.addEventListener('input', () => {
      this.play(false);
      this.still = false;
      this.cycles = Number(this.phase.value) / 360;
      this.draw();
    });
    this.decay.addEventListener('change', () => {
      this.decayIsChosen = true;
      this.cycles = 0;
      this.draw();
    });
    const forces = makeCheckbox('forces', false, on => {
      this.view.forces = on;
      this.draw();
    });
    const labels = [
      make('label', {}, 'amplitude', this.amplitude),
      make('label', {}, 'speed', this.speed),
      make('label', {}, 'phase', this.phase),
      make('label', {}, this.decay, this.decayWord),
    ];
    if (this.scene.elements.some(element => element.force !== undefined)) labels.push(forces);
    const end = [...zoomButtons(this.view), ...canSave(this.view)];
    return make('div', { class: 'controls' }, this.playButton, ...labels, make('span', { class: 'spring' }), ...end);
  }

  /** Readers who want no motion see several instants at once; so does paper. */
  showStill(): void {
    this.play(false);
    this.still = true;
    this.draw();
  }

  play(on: boolean): void {
    if (on) {
      this.still = false;
      this.clock.start();
    } else this.clock.stop();
    this.playButton.textContent = on ? '❚❚ Pause' : '▶ Play';
    this.playButton.setAttribute('aria-pressed', String(on));
    if (!on) this.draw();
  }

  get plays(): boolean {
    return this.clock.runs;
  }

  /** How far joints are open in what is drawn now, relative to the picture. */
  gapNow(): number {
    return largestGap(this.scene, this.view.shown.now);
  }

  /** The largest opening over one cycle, at the amplitude of the slider. */
  gapOverACycle(): number {
    let largest = 0;
    for (let step = 0; step < 60; step++) {
      this.placeAt(step / 60, false);
      largest = Math.max(largest, largestGap(this.scene, this.pose));
    }
    this.placeAt(this.cycles, this.decay.checked);
    return largest;
  }

  private motionOf(mode: Mode | undefined): Motion | undefined {
    return mode?.motion === undefined ? undefined : this.motions[mode.motion];
  }

  private change(): void {
    const mode = this.choice.mode;
    this.motion = this.motionOf(mode);
    this.cycles = 0;
    const growth = this.motion ? growthPerCycle(this.motion.stored) : 0;
    const oscillates = this.motion?.stored.kind === 'oscillating';
    if (!this.decayIsChosen) this.decay.checked = growth > 1e-6 && oscillates;
    this.decay.disabled = !oscillates || Math.abs(growth) < 1e-9;
    this.decayWord.textContent = growth > 0 ? 'growth' : 'decay';
    const where = this.choice.list.main ? '' : `${this.choice.list.title}, `;
    this.title.textContent = mode ? `${where}mode ${this.choice.selected + 1}`.replace(/^m/, 'M') : 'No mode';
    this.numbers.textContent = mode ? numbersOf(mode) : '';
    this.words.textContent = mode?.description ?? '';
    this.findPaths();
    this.describe();
    this.draw();
  }

  private amplitudeChanged(): void {
    this.findPaths();
    this.describe();
    this.draw();
  }

  private findPaths(): void {
    const short = this.rest.frames * (this.motion?.stored.powers.length ?? 0) < mostNumbersInATrace;
    const wanted = this.motion && short;
    this.paths = wanted ? pathsOver(this.motion!, this.size, this.places, this.pose) : [];
  }

  private get size(): number {
    return Number(this.amplitude.value) / 100;
  }

  private get cyclesASecond(): number {
    return 0.5 * 2 ** (Number(this.speed.value) / 10);
  }

  /** The amplitude is limited, and is stated, and so is how true the picture is. */
  private describe(): void {
    const stored = this.motion?.stored;
    if (!stored) {
      this.statement.textContent = this.choice.mode?.motion_missing ?? 'This mode has no picture of its motion.';
      return;
    }
    const unit = this.scene.schematic ? '' : ' m';
    const reach = digits(this.size * stored.amplitude, 2);
    const texts = [`The point that moves most goes ${reach}${unit} to each side`];
    if (stored.amplitude === 0) texts[0] = 'Bodies turn where they are';
    else if (stored.kind === 'real') texts[0] = `The point that moves most is ${reach}${unit} away`;
    const frequency = this.choice.mode?.frequency_hz ?? 0;
    if (stored.kind === 'oscillating' && frequency > 0) texts.push(slowness(frequency / this.cyclesASecond));
    if (stored.kind === 'neutral') texts.push('neutral: nothing holds it and nothing drives it');
    if (stored.kind === 'tangent') texts.push('along the branch');
    const gap = this.gapOverACycle();
    const within = gap > 1e-9 ? ` to ${digits(100 * gap, 1)} % of the picture` : '';
    texts.push(`joints closed and lengths kept${within}`);
    this.statement.textContent = `${texts.join('; ')}.${stored.note ? ` ${stored.note}` : ''}`;
  }

  private tick(seconds: number): void {
    this.cycles += seconds * this.cyclesASecond;
    this.draw();
  }

  private placeAt(cycles: number, decay: boolean): void {
    if (!this.motion) return this.pose.setFrom(this.rest);
    const { a, b } = amplitudesAt(this.motion.stored, cycles, decay);
    this.motion.at(this.size * a, this.size * b, this.pose);
  }

  draw(): void {
    const decay = this.decay.checked && !this.decay.disabled;
    const others = this.still && this.motion ? instantsOfAStill.map(cycles => this.copyAt(cycles)) : [];
    this.placeAt(this.still ? 0 : this.cycles, decay);
    this.view.show({ now: this.pose, rest: this.rest, others, paths: this.paths });
    this.phase.value = String(Math.round(360 * (this.cycles % 1)));
  }

  private copyAt(cycles: number): Pose {
    this.placeAt(cycles, false);
    const copy = new Pose(this.pose.frames);
    copy.setFrom(this.pose);
    return copy;
  }
}

function slider(id: string, least: number, most: number, value: number): HTMLInputElement {
  const attributes = { type: 'range', id, min: String(least), max: String(most), value: String(value) };
  return make('input', { attributes });
}

function numbersOf(mode: Mode): string {
  if (mode.s[1] === 0) return mode.s[0] === 0 ? 's = 0, neutral' : `s = ${digits(mode.s[0])} 1/s, no oscillation`;
  const damped = Math.abs(mode.damping_ratio ?? 0) >= 1e-12;
  const damping = damped ? `damping ${percent(mode.damping_ratio)}` : 'undamped';
  return `${digits(mode.frequency_hz)} Hz, ${damping}, s = ${complex(mode.s[0], mode.s[1], 4)}`;
}

function slowness(times: number): string {
  if (times > 1.05) return `shown ${digits(times, 2)} times slower than it is`;
  return times < 0.95 ? `shown ${digits(1 / times, 2)} times faster than it is` : 'shown as fast as it is';
}
