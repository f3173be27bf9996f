// How the eigenvalues go as a parameter changes (from `stillpoint sweep`), with a slider through its values.
import { areaOf, chartPicture, drawHorizontalAxis, drawVerticalAxis } from './chart.ts';
import type { Complex, PageData, RootLocus } from './data.ts';
import { make, makeSection } from './dom.ts';
import { digits } from './numbers.ts';
import { linearScale, type Scale } from './scale.ts';
import { pathThrough, svgElement } from './svg.ts';

const height = 400;

export function showRootLocus(data: PageData): HTMLElement | undefined {
  return data.root_locus?.values.length ? new RootLocusView(data.root_locus).section : undefined;
}

class RootLocusView {
  readonly section: HTMLElement;
  private readonly host = make('div', { class: 'chart' });
  private readonly slider = make('input', { attributes: { type: 'range', id: 'parameter', min: '0' } });
  private readonly reading = make('p', { class: 'reading', attributes: { 'aria-live': 'polite' } });

  constructor(private readonly locus: RootLocus) {
    this.section = makeSection('root-locus', 'Root locus', `the eigenvalues as ${locus.parameter} changes`);
    this.slider.max = String(locus.values.length - 1);
    this.slider.value = '0';
    this.slider.addEventListener('input', () => this.draw());
    const label = make('label', { class: 'long' }, locus.parameter, this.slider);
    this.section.append(this.host, make('div', { class: 'controls' }, label), this.reading);
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  private draw(): void {
    if (this.host.clientWidth === 0) return;
    const area = areaOf(this.host, height);
    const picture = chartPicture(area, `Root locus over ${this.locus.parameter}`);
    const { margins } = area;
    const all = this.locus.spectra.flat().filter(isFinitePair);
    const bounds = boundsOf(all);
    const x = linearScale(bounds.left, bounds.right, margins.left, area.width - margins.right, 7);
    const y = linearScale(-bounds.top, bounds.top, area.height - margins.bottom, margins.top, 8);
    const start = Math.max(margins.left, x.toPixel(0));
    const size = {
      width: Math.max(0, area.width - margins.right - start),
      height: height - margins.top - margins.bottom,
    };
    svgElement('rect', { x: start, y: margins.top, ...size, class: 'unstable' }, picture);
    drawHorizontalAxis(picture, area, x, 'Re s  (1/s)');
    drawVerticalAxis(picture, area, y, 'Im s  (rad/s)');
    this.drawTracks(picture, x, y);
    this.drawNow(picture, x, y);
    this.host.replaceChildren(picture);
  }

  private drawTracks(picture: SVGElement, x: Scale, y: Scale): void {
    const tracks = Math.max(...this.locus.spectra.map(spectrum => spectrum.length));
    for (let track = 0; track < tracks; track++) {
      for (const sign of [1, -1]) {
        const points = this.locus.spectra.map(spectrum => {
          const root = spectrum[track];
          return root && isFinitePair(root) ? ([x.toPixel(root[0]!), y.toPixel(sign * root[1]!)] as const) : undefined;
        });
        svgElement('path', { d: pathThrough(points), class: 'track-line' }, picture);
      }
    }
  }

  private drawNow(picture: SVGElement, x: Scale, y: Scale): void {
    const index = Number(this.slider.value);
    for (const [real, imaginary] of (this.locus.spectra[index] ?? []).filter(isFinitePair)) {
      const classes = real! > 0 ? 'root-now growing' : 'root-now';
      for (const sign of imaginary === 0 ? [1] : [1, -1])
        svgElement('circle', { cx: x.toPixel(real!), cy: y.toPixel(sign * imaginary!), r: 5, class: classes }, picture);
    }
    const value = `${this.locus.parameter} = ${digits(this.locus.values[index])}${this.locus.unit ? ` ${this.locus.unit}` : ''}`;
    const verdict = this.locus.verdicts?.[index];
    this.reading.textContent = verdict ? `${value}: ${verdict}` : value;
    this.slider.setAttribute('aria-valuetext', value);
  }
}

const isFinitePair = (root: Complex | undefined | null): root is [number, number] =>
  !!root && root[0] !== null && root[1] !== null;

function boundsOf(roots: Complex[]): { left: number; right: number; top: number } {
  let [left, right, top] = [0, 0, 0];
  for (const [real, imaginary] of roots) {
    left = Math.min(left, real!);
    right = Math.max(right, real!);
    top = Math.max(top, Math.abs(imaginary!));
  }
  const span = Math.max(right - left, 1e-3 * top) || 1;
  return { left: left - 0.1 * span, right: right + 0.12 * span, top: 1.1 * top || 1 };
}
