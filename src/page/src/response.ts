// Frequency responses: magnitude over phase, the modes marked, and a reading at the pointer or the slider.
import { areaOf, chartPicture, drawHorizontalAxis, drawVerticalAxis, usualMargins, type ChartArea } from './chart.ts';
import type { Choice } from './choice.ts';
import type { PageData } from './data.ts';
import { make, makeCheckbox, makeSection } from './dom.ts';
import { digits } from './numbers.ts';
import { unpack } from './packed.ts';
import { linearScale, logarithmicScale, type Scale } from './scale.ts';
import { pathThrough, svgElement } from './svg.ts';

interface Curve {
  name: string;
  unit: string;
  frequencies: Float64Array;
  magnitudes: Float64Array;
  phases: Float64Array; // degrees
  shown: boolean;
}

const height = 380;
const mostCurves = 4; // as many as can be told apart
const shareOfMagnitude = 0.62;

export async function showResponses(data: PageData, choice: Choice): Promise<HTMLElement | undefined> {
  const stored = data.responses ?? [];
  if (stored.length === 0) return undefined;
  const curves: Curve[] = [];
  for (const response of stored) {
    const [frequencies, real, imaginary] = (await Promise.all(
      [response.frequency_hz, response.real, response.imaginary].map(unpack),
    )) as [Float64Array, Float64Array, Float64Array];
    curves.push({
      name: `${response.input} → ${response.output}`,
      unit: response.unit ?? '',
      frequencies,
      magnitudes: real.map((value, index) => Math.hypot(value, imaginary[index]!)),
      phases: real.map((value, index) => (180 / Math.PI) * Math.atan2(imaginary[index]!, value)),
      shown: curves.length < mostCurves,
    });
  }
  hideRounding(curves);
  return new ResponseView(curves, choice).section;
}

/** A response that is zero but for rounding would spoil the scale of the others. */
function hideRounding(curves: Curve[]): void {
  const peaks = curves.map(curve => curve.magnitudes.reduce((most, value) => Math.max(most, value), 0));
  const largest = Math.max(...peaks);
  curves.forEach((curve, index) => (curve.shown &&= peaks[index]! > 1e-9 * largest));
}

class ResponseView {
  readonly section = makeSection('response', 'Frequency response', '', false);
  private readonly host = make('div', { class: 'chart' });
  private readonly reading = make('p', { class: 'quiet reading' });
  private readonly cursor = make('input', { attributes: { type: 'range', id: 'cursor', min: '0' } });
  private x: Scale | undefined;

  constructor(
    private readonly curves: Curve[],
    private readonly choice: Choice,
  ) {
    this.cursor.max = String(curves[0]!.frequencies.length - 1);
    this.cursor.value = String(Math.round(curves[0]!.frequencies.length / 2));
    const tools = make('div', { class: 'controls' });
    curves.forEach((curve, index) => tools.append(this.curveBox(curve, index)));
    tools.append(make('label', {}, 'read at', this.cursor));
    this.section.append(this.host, tools, this.reading);
    this.cursor.addEventListener('input', () => this.draw());
    this.host.addEventListener('pointermove', event => this.readAt(event.offsetX));
    choice.whenChanged(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  private curveBox(curve: Curve, index: number): HTMLElement {
    const label = makeCheckbox('', curve.shown, on => {
      curve.shown = on;
      this.draw();
    });
    const key = svgElement('svg', { class: 'key', viewBox: '0 0 24 12', 'aria-hidden': 'true' });
    svgElement('path', { d: 'M0,6H24', class: `curve curve-${index % mostCurves}` }, key);
    label.append(key, curve.name);
    return label;
  }

  private draw(): void {
    if (this.host.clientWidth === 0) return;
    const area = areaOf(this.host, height, { ...usualMargins, bottom: 42 });
    const shown = this.curves.filter(curve => curve.shown);
    const frequencies = this.curves[0]!.frequencies;
    const right = area.width - area.margins.right;
    const x = logarithmicScale(frequencies[0]!, frequencies.at(-1)!, area.margins.left, right);
    this.x = x;
    const picture = chartPicture(area, `Frequency response of ${shown.map(curve => curve.name).join(', ')}`);
    drawHorizontalAxis(picture, area, x, 'frequency  (Hz)');
    const split = area.margins.top + shareOfMagnitude * (area.height - area.margins.top - area.margins.bottom);
    const magnitude = this.magnitudeScale(shown, area, split - 8);
    const phase = linearScale(-190, 190, area.height - area.margins.bottom, split + 8, 4);
    phase.ticks = [-180, -90, 0, 90, 180];
    const unit = shown[0]?.unit;
    drawVerticalAxis(picture, area, magnitude, unit ? `magnitude  (${unit})` : 'magnitude');
    drawVerticalAxis(picture, area, phase, 'phase', value => `${value}°`.replace('-', '−'));
    this.drawModes(picture, area, x);
    for (const curve of shown) this.drawCurve(picture, curve, x, magnitude, phase);
    this.drawCursor(picture, area, x, frequencies);
    this.host.replaceChildren(picture);
    this.read();
  }

  private magnitudeScale(shown: Curve[], area: ChartArea, bottom: number): Scale {
    let [least, most] = [Infinity, 0];
    for (const curve of shown) {
      for (const value of curve.magnitudes) {
        if (!(value > 0)) continue;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    if (!(most > 0)) [least, most] = [0.1, 10];
    const scale = logarithmicScale(least / 1.6, most * 1.6, bottom, area.margins.top);
    const middle = scale.ticks.filter(tick => tick >= least / 1.6 && tick <= most * 1.6);
    scale.ticks = middle;
    return scale;
  }

  private drawModes(picture: SVGElement, area: ChartArea, x: Scale): void {
    this.choice.lists[0]!.modes.forEach((mode, index) => {
      const frequency = mode.frequency_hz ?? 0;
      const place = frequency > 0 && mode.s[1] !== 0 ? x.toPixel(frequency) : -1;
      if (place < area.margins.left || place > area.width - area.margins.right) return;
      const chosen = this.choice.list.main && index === this.choice.selected;
      const ends = { x1: place, x2: place, y1: area.margins.top, y2: area.height - area.margins.bottom };
      svgElement('line', { ...ends, class: chosen ? 'mark chosen-mark' : 'mark' }, picture);
    });
  }

  private drawCurve(picture: SVGElement, curve: Curve, x: Scale, magnitude: Scale, phase: Scale): void {
    const index = this.curves.indexOf(curve) % mostCurves;
    const sizes: ([number, number] | undefined)[] = [];
    const angles: ([number, number] | undefined)[] = [];
    curve.frequencies.forEach((frequency, place) => {
      const at = x.toPixel(frequency);
      const size = curve.magnitudes[place]!;
      sizes.push(size > 0 ? [at, magnitude.toPixel(size)] : undefined);
      const jump = place > 0 && Math.abs(curve.phases[place]! - curve.phases[place - 1]!) > 200;
      if (jump) angles.push(undefined);
      angles.push([at, phase.toPixel(curve.phases[place]!)]);
    });
    svgElement('path', { d: pathThrough(sizes), class: `curve curve-${index}` }, picture);
    svgElement('path', { d: pathThrough(angles), class: `curve curve-${index}` }, picture);
  }

  private drawCursor(picture: SVGElement, area: ChartArea, x: Scale, frequencies: Float64Array): void {
    const place = x.toPixel(frequencies[Number(this.cursor.value)] ?? NaN);
    const ends = { x1: place, x2: place, y1: area.margins.top, y2: area.height - area.margins.bottom };
    svgElement('line', { ...ends, class: 'cursor' }, picture);
  }

  private readAt(pixel: number): void {
    if (!this.x) return;
    const wanted = this.x.toValue(pixel);
    const { frequencies } = this.curves[0]!;
    let nearest = 0;
    frequencies.forEach((frequency, index) => {
      if (Math.abs(Math.log(frequency / wanted)) < Math.abs(Math.log(frequencies[nearest]! / wanted))) nearest = index;
    });
    this.cursor.value = String(nearest);
    this.draw();
  }

  private read(): void {
    const index = Number(this.cursor.value);
    const texts = this.curves
      .filter(curve => curve.shown)
      .map(
        curve =>
          `${curve.name}: ${digits(curve.magnitudes[index], 4)} ${curve.unit}, ${digits(curve.phases[index], 4)}°`,
      );
    const frequency = `${digits(this.curves[0]!.frequencies[index], 4)} Hz`;
    this.reading.textContent = `At ${frequency}: ${texts.join('; ')}`;
    this.cursor.setAttribute('aria-valuetext', frequency);
  }
}
