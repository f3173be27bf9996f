// A motion in time, as `stillpoint motion` computed it: played, or looked at instant by instant.
import type { MotionInTime, PageData } from './data.ts';
import { areaOf, chartPicture, drawHorizontalAxis, drawVerticalAxis } from './chart.ts';
import { make, makeSection } from './dom.ts';
import { zoomButtons } from './first_view.ts';
import { MechanismView, pointsToHold } from './mechanism_view.ts';
import { digits } from './numbers.ts';
import { unpack } from './packed.ts';
import { Clock } from './playback.ts';
import { poseFromNumbers, type Pose } from './pose.ts';
import { linearScale } from './scale.ts';
import type { Scene, Vector } from './scene.ts';
import { pathThrough, svgElement } from './svg.ts';

const heightOfEnergies = 150; // pixels
const instantsToHold = 30; // in one picture

export async function showMotionInTime(data: PageData, scene: Scene, rest: Pose): Promise<HTMLElement | undefined> {
  const stored = data.motion_in_time;
  if (!stored) return undefined;
  const [time, frames] = await Promise.all([unpack(stored.time), unpack(stored.frames)]);
  const view = new TimeView(stored, time, frames, scene, rest);
  if (stored.energy) {
    const [kinetic, potential] = await Promise.all([unpack(stored.energy.kinetic), unpack(stored.energy.potential)]);
    view.addEnergies(kinetic, potential);
  }
  return view.section;
}

class TimeView {
  readonly section: HTMLElement;
  private readonly view: MechanismView;
  private readonly slider = make('input', { attributes: { type: 'range', id: 'time', min: '0' } });
  private readonly reading = make('span', { class: 'reading' });
  private readonly playButton = make('button', { class: 'play', text: '▶ Play', attributes: { type: 'button' } });
  private readonly clock = new Clock(seconds => this.tick(seconds));
  private readonly energies = make('div', { class: 'chart' });
  private now = 0; // s

  constructor(
    stored: MotionInTime,
    private readonly time: Float64Array,
    private readonly frames: Float64Array,
    private readonly scene: Scene,
    private readonly rest: Pose,
  ) {
    this.section = makeSection('time', stored.title ?? 'Motion in time', stored.command ?? '');
    this.view = new MechanismView(scene, rest, `${scene.model.name} moving in time`);
    this.view.hold(this.pointsOverTime());
    this.slider.max = String(time.length - 1);
    this.slider.addEventListener('input', () => this.goTo(Number(this.slider.value)));
    this.playButton.addEventListener('click', () => this.play(!this.clock.runs));
    const label = make('label', { class: 'long' }, 'time', this.slider);
    const tools = make('div', { class: 'controls' }, this.playButton, label, this.reading, ...zoomButtons(this.view));
    this.section.append(this.view.canvas, tools, this.energies);
    this.now = time[0] ?? 0;
    this.show(0);
  }

  private pointsOverTime(): Vector[] {
    const stride = Math.max(1, Math.ceil(this.time.length / instantsToHold));
    const points: Vector[] = [];
    for (let index = 0; index < this.time.length; index += stride)
      points.push(...pointsToHold(this.scene, this.poseAt(index)));
    return points;
  }

  private play(on: boolean): void {
    if (on) this.clock.start();
    else this.clock.stop();
    this.playButton.textContent = on ? '❚❚ Pause' : '▶ Play';
    this.playButton.setAttribute('aria-pressed', String(on));
  }

  private tick(seconds: number): void {
    this.now += seconds;
    const last = this.time.at(-1) ?? 0;
    if (this.now > last) this.now = this.time[0] ?? 0;
    this.show(this.indexAt(this.now));
  }

  private indexAt(now: number): number {
    let [low, high] = [0, this.time.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle]! <= now) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private goTo(index: number): void {
    this.play(false);
    this.now = this.time[index] ?? 0;
    this.show(index);
  }

  private poseAt(index: number): Pose {
    const width = this.scene.dimension === 2 ? 3 : 7;
    return poseFromNumbers(this.frames, width * this.rest.frames * index, this.rest.frames, this.scene.dimension);
  }

  private show(index: number): void {
    this.view.show({ now: this.poseAt(index), rest: this.rest });
    this.slider.value = String(index);
    const text = `${digits(this.time[index], 3)} s`;
    this.slider.setAttribute('aria-valuetext', text);
    this.reading.textContent = text;
  }

  addEnergies(kinetic: Float64Array, potential: Float64Array): void {
    const draw = (): void => {
      if (this.energies.clientWidth > 0) this.energies.replaceChildren(this.pictureOfEnergies(kinetic, potential));
    };
    new ResizeObserver(draw).observe(this.energies);
  }

  private pictureOfEnergies(kinetic: Float64Array, potential: Float64Array): SVGElement {
    const area = areaOf(this.energies, heightOfEnergies);
    const total = kinetic.map((value, index) => value + potential[index]!);
    const all = [...kinetic, ...potential, ...total];
    const { margins } = area;
    const x = linearScale(this.time[0]!, this.time.at(-1)!, margins.left, area.width - margins.right, 8);
    const y = linearScale(smallestOf(all), largestOf(all), area.height - margins.bottom, margins.top, 4);
    const picture = chartPicture(area, 'Energies over time: kinetic, potential and their sum');
    drawHorizontalAxis(picture, area, x, 'time  (s)');
    drawVerticalAxis(picture, area, y, 'energy  (J)');
    [kinetic, potential, total].forEach((values, curve) => {
      const points = [...values].map((value, index) => [x.toPixel(this.time[index]!), y.toPixel(value)] as const);
      const path = svgElement('path', { d: pathThrough(points), class: `curve curve-${curve}` }, picture);
      svgElement('title', {}, path, ['kinetic', 'potential', 'sum'][curve]);
    });
    return picture;
  }
}

const smallestOf = (values: number[]): number => values.reduce((least, value) => Math.min(least, value), Infinity);
const largestOf = (values: number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity);
