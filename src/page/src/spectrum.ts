// The complex plane with the eigenvalues of three methods over each other. A method has a shape and a colour; spurious
// roots are hollow and dashed, undecided ones hollow with a question mark; circles show error bounds that can be seen.
import { areaOf, chartPicture, drawHorizontalAxis, drawVerticalAxis, type ChartArea } from './chart.ts';
import type { Choice } from './choice.ts';
import type { MethodName, PageData } from './data.ts';
import { make, makeButton, makeCheckbox, makeSection } from './dom.ts';
import { complex, digits, tickLabel } from './numbers.ts';
import { methodNames, rootsOf, type Root } from './roots.ts';
import { linearScale, signedLogarithmicScale, type Scale } from './scale.ts';
import { svgElement } from './svg.ts';

const radii: Record<MethodName, number> = { mcs: 3.8, rcs: 6.5, ucs: 9 };
const drawnInOrder: MethodName[] = ['ucs', 'mcs', 'rcs'];
const linesOfDamping = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
const height = 400; // pixels
const leastHeight = 16; // of a line of equal damping

function shapeOf(method: MethodName): string {
  const r = radii[method];
  if (method === 'mcs') return `M${r},0A${r},${r} 0 1 1 ${-r},0A${r},${r} 0 1 1 ${r},0Z`;
  if (method === 'rcs') return `M${-r},${-r}L${r},${r}M${-r},${r}L${r},${-r}`;
  return `M${-r},${-r}H${r}V${r}H${-r}Z`;
}

interface Window {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export class SpectrumView {
  readonly section = makeSection('spectrum', 'Eigenvalues', 'choose one to see it move', false);
  private readonly host = make('div', { class: 'chart' });
  private readonly reading = make('p', { class: 'quiet reading', attributes: { 'aria-live': 'polite' } });
  private readonly shown = new Set<MethodName>();
  private readonly roots: Root[];
  private logarithmic = false;
  private window: Window | undefined; // undefined: all that is shown
  private scales: { x: Scale; y: Scale } | undefined;
  private dragged = false;

  constructor(
    private readonly data: PageData,
    private readonly choice: Choice,
  ) {
    this.roots = rootsOf(data, choice.lists[0]!.modes);
    for (const method of methodNames) if (data.methods[method]?.modes.length) this.shown.add(method);
    this.section.append(this.host, this.tools(), this.reading);
    this.listen();
    choice.whenChanged(() => this.markChosen());
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  private tools(): HTMLElement {
    const tools = make('div', { class: 'controls' });
    for (const method of methodNames) if (this.data.methods[method]?.modes.length) tools.append(this.methodBox(method));
    const hidden = this.roots.filter(root => root.class === 'spurious').length;
    if (hidden > 0) {
      tools.append(
        makeCheckbox('spurious, logarithmic', false, on => {
          this.logarithmic = on;
          this.window = undefined;
          this.draw();
        }),
      );
    }
    const zoom = make('span', { class: 'buttons' });
    zoom.append(
      makeButton('+', () => this.zoomAround(0.5), 'Zoom in on the chosen eigenvalue'),
      makeButton('−', () => this.zoomAround(2), 'Zoom out'),
      makeButton('±', () => this.zoomToErrors(), 'Zoom in until the error bounds are seen'),
      makeButton('all', () => this.zoomTo(undefined), 'Show all eigenvalues'),
    );
    tools.append(zoom);
    return tools;
  }

  private methodBox(method: MethodName): HTMLElement {
    const label = makeCheckbox('', true, on => {
      if (on) this.shown.add(method);
      else this.shown.delete(method);
      this.draw();
    });
    const key = svgElement('svg', { class: 'key', viewBox: '-10 -10 20 20', 'aria-hidden': 'true' });
    svgElement('path', { d: shapeOf(method), class: `root ${method}` }, key);
    label.append(key, method.toUpperCase());
    return label;
  }

  private visible(): Root[] {
    return this.roots.filter(root => this.shown.has(root.method) && (this.logarithmic || root.class !== 'spurious'));
  }

  draw(): void {
    const area = areaOf(this.host, height);
    if (this.host.clientWidth === 0) return;
    const visible = this.visible();
    const { x, y } = this.makeScales(area, visible);
    this.scales = { x, y };
    const picture = chartPicture(area, describe(visible));
    this.drawUnstableHalf(picture, area, x);
    this.drawAxes(picture, area, x, y);
    if (!this.logarithmic && !this.window) this.drawDamping(picture, area, x, y);
    for (const method of drawnInOrder)
      for (const root of visible) if (root.method === method) this.drawRoot(picture, area, root, x, y);
    this.host.replaceChildren(picture);
    this.markChosen();
  }

  private makeScales(area: ChartArea, visible: Root[]): { x: Scale; y: Scale } {
    const { margins } = area;
    const [right, bottom] = [area.width - margins.right, area.height - margins.bottom];
    const wantedAcross = Math.max(2, Math.floor((right - margins.left) / 90));
    if (this.window) {
      const { window } = this;
      return {
        x: linearScale(window.left, window.right, margins.left, right, wantedAcross),
        y: linearScale(window.bottom, window.top, bottom, margins.top, 7),
      };
    }
    if (this.logarithmic) {
      const sizes = visible.map(root => Math.hypot(root.real, root.imaginary));
      const largest = 3 * Math.max(1, ...sizes);
      const least = Math.min(
        ...this.roots
          .filter(isTrue)
          .map(root => Math.hypot(root.real, root.imaginary))
          .filter(size => size > 0),
      );
      const small = Math.max((Number.isFinite(least) ? least : 1) / 10, 1e-12 * largest);
      return {
        x: signedLogarithmicScale(-largest, largest, small, margins.left, right),
        y: signedLogarithmicScale(-largest, largest, small, bottom, margins.top),
      };
    }
    const all = windowAround(visible);
    return {
      x: linearScale(all.left, all.right, margins.left, right, wantedAcross),
      y: linearScale(all.bottom, all.top, bottom, margins.top, 8),
    };
  }

  /** In a small window ticks are measured from its middle, which is then named in the title of the axis. */
  private drawAxes(picture: SVGElement, area: ChartArea, x: Scale, y: Scale): void {
    const { window } = this;
    if (window && !this.logarithmic && narrow(window)) {
      const middle = this.middleOf(window);
      shiftTicks(x, middle.real, window.left, window.right);
      shiftTicks(y, middle.imaginary, window.bottom, window.top);
      const across = `Re s − (${digits(middle.real, 8)})  (1/s)`;
      const up = `Im s − (${digits(middle.imaginary, 8)})`;
      drawHorizontalAxis(picture, area, x, across, value =>
        tickLabel(cleared(value - middle.real, window.right - window.left)),
      );
      drawVerticalAxis(picture, area, y, up, value =>
        tickLabel(cleared(value - middle.imaginary, window.top - window.bottom)),
      );
      return;
    }
    drawHorizontalAxis(picture, area, x, 'Re s  (1/s)');
    drawVerticalAxis(picture, area, y, 'Im s  (rad/s)');
  }

  private middleOf(window: Window): { real: number; imaginary: number } {
    const chosen = this.choice.list.main ? this.choice.mode?.s : undefined;
    if (chosen && chosen[0] !== null && chosen[1] !== null && inside(window, chosen[0], chosen[1]))
      return { real: chosen[0], imaginary: chosen[1] };
    return { real: (window.left + window.right) / 2, imaginary: (window.bottom + window.top) / 2 };
  }

  private drawUnstableHalf(picture: SVGElement, area: ChartArea, x: Scale): void {
    const { margins } = area;
    const right = area.width - margins.right;
    const left = Math.max(margins.left, Math.min(right, x.toPixel(0)));
    const size = { width: right - left, height: area.height - margins.top - margins.bottom };
    svgElement('rect', { x: left, y: margins.top, ...size, class: 'unstable' }, picture);
    if (right - left > 70)
      svgElement('text', { x: right - 6, y: margins.top + 15, class: 'tick', 'text-anchor': 'end' }, picture, 'grows');
  }

  /** Lines of equal damping, where they can be told from the real axis. */
  private drawDamping(picture: SVGElement, area: ChartArea, x: Scale, y: Scale): void {
    const left = x.toValue(area.margins.left);
    const top = y.toValue(area.margins.top);
    let [lastAcross, lastUp] = [Infinity, -Infinity];
    for (const damping of linesOfDamping) {
      const slope = Math.sqrt(1 - damping * damping) / damping;
      const real = Math.max(left, -top / slope);
      const [endX, endY] = [x.toPixel(real), y.toPixel(-real * slope)];
      if (y.toPixel(0) - endY < leastHeight) continue;
      const below = y.toPixel(real * slope);
      const origin = `${x.toPixel(0)},${y.toPixel(0)}`;
      svgElement('path', { d: `M${endX},${endY}L${origin}L${endX},${below}`, class: 'damping' }, picture);
      const onLeft = real === left;
      // A label needs room beside the last one.
      if (onLeft ? endY - lastUp < 14 : Math.abs(endX - lastAcross) < 34) continue;
      if (onLeft) lastUp = endY;
      else lastAcross = endX;
      const at = onLeft ? { x: endX + 5, y: endY - 4 } : { x: endX + 3, y: endY + 12 };
      svgElement('text', { ...at, class: 'damping-label' }, picture, `${100 * damping} %`);
    }
  }

  private drawRoot(picture: SVGElement, area: ChartArea, root: Root, x: Scale, y: Scale): void {
    const [px, py] = [x.toPixel(root.real), y.toPixel(root.imaginary)];
    if (!insideArea(area, px, py)) return;
    this.drawErrorBound(picture, area, root, x, y);
    const place = { transform: `translate(${px.toFixed(1)},${py.toFixed(1)})` };
    const classes = `root ${root.method} ${root.class}`;
    const mark = svgElement(
      'path',
      { d: shapeOf(root.method), class: classes, ...place, 'data-mode': root.mode },
      picture,
    );
    svgElement('title', {}, mark, root.words);
    if (root.class === 'undecided') svgElement('text', { ...place, dx: 8, dy: -6, class: 'tick' }, picture, '?');
    if (root.mode >= 0) mark.addEventListener('click', () => this.chooseRoot(root));
  }

  private chooseRoot(root: Root): void {
    if (this.dragged) return;
    if (!this.choice.list.main) this.choice.chooseList(this.choice.lists[0]!);
    this.choice.choose(root.mode);
  }

  /** The disc in which the exact eigenvalue lies, where it is larger than the mark's line. */
  private drawErrorBound(picture: SVGElement, area: ChartArea, root: Root, x: Scale, y: Scale): void {
    if (this.logarithmic || !(root.error > 0)) return;
    const halfWidth = Math.abs(x.toPixel(root.real + root.error) - x.toPixel(root.real));
    const halfHeight = Math.abs(y.toPixel(root.imaginary + root.error) - y.toPixel(root.imaginary));
    if (halfWidth < 2 && halfHeight < 2) return;
    if (halfWidth > 4 * area.width || halfHeight > 4 * area.height) return;
    const centre = { cx: x.toPixel(root.real), cy: y.toPixel(root.imaginary) };
    svgElement(
      'ellipse',
      { ...centre, rx: halfWidth, ry: halfHeight, class: `error-bound ${root.method}`, 'clip-path': 'url(#plane)' },
      picture,
    );
    if (picture.querySelector('clipPath')) return;
    const clip = svgElement('clipPath', { id: 'plane' }, picture);
    const { margins } = area;
    const size = {
      width: area.width - margins.left - margins.right,
      height: area.height - margins.top - margins.bottom,
    };
    svgElement('rect', { x: margins.left, y: margins.top, ...size }, clip);
  }

  /** A circle around both eigenvalues of the chosen mode. */
  private markChosen(): void {
    this.read();
    const picture = this.host.querySelector('svg');
    for (const circle of this.host.querySelectorAll('.chosen')) circle.remove();
    const [real, imaginary] = this.choice.mode?.s ?? [null, null];
    if (!picture || !this.scales || !this.choice.list.main || real === null || imaginary === null) return;
    const area = areaOf(this.host, height);
    const { x, y } = this.scales;
    for (const sign of imaginary === 0 ? [1] : [1, -1]) {
      const [px, py] = [x.toPixel(real), y.toPixel(sign * imaginary)];
      if (insideArea(area, px, py)) svgElement('circle', { cx: px, cy: py, r: 13, class: 'chosen' }, picture);
    }
  }

  /** What the methods say of the chosen mode. */
  private read(): void {
    const mode = this.choice.list.main ? this.choice.mode : undefined;
    if (!mode) return void this.reading.replaceChildren();
    const own = `${this.data.main.toUpperCase()}: s = ${complex(mode.s[0], mode.s[1], 10)}`;
    const texts = [
      mode.error === null || mode.error === undefined ? own : `${own}, known to ± ${digits(mode.error, 2)}`,
    ];
    for (const method of methodNames) {
      const root = method === this.data.main ? undefined : this.nearestRoot(method);
      if (!root) continue;
      const apart = Math.hypot(root.real - (mode.s[0] ?? 0), root.imaginary - (mode.s[1] ?? 0));
      texts.push(`${method.toUpperCase()} differs by ${digits(apart, 2)}`);
    }
    this.reading.textContent = `${texts.join('; ')}.${this.logarithmic ? this.wordsOnSpurious() : ''}`;
  }

  /** How many there are, and how far they are away. */
  private wordsOnSpurious(): string {
    const texts = methodNames.flatMap(method => {
      const spurious = this.roots.filter(root => root.method === method && root.class === 'spurious');
      if (spurious.length === 0) return [];
      const far = Math.max(...spurious.map(root => Math.hypot(root.real, root.imaginary)));
      const right = Math.max(...spurious.map(root => root.real));
      const count = this.data.methods[method]?.spurious ?? spurious.length;
      return `${method.toUpperCase()} has ${count} spurious eigenvalues, up to |s| = ${digits(far, 2)}, Re s = ${digits(right, 2)}`;
    });
    return texts.length ? ` ${texts.join('; ')}.` : '';
  }

  private nearestRoot(method: MethodName): Root | undefined {
    return this.roots.find(root => root.method === method && root.mode === this.choice.selected && root.imaginary >= 0);
  }

  private currentWindow(): Window {
    return this.window ?? windowAround(this.visible());
  }

  private zoomAround(factor: number): void {
    if (this.logarithmic) return;
    const old = this.currentWindow();
    const { real, imaginary } = this.middleOf({ left: -Infinity, right: Infinity, bottom: -Infinity, top: Infinity });
    const middle = Number.isFinite(real)
      ? { real, imaginary }
      : { real: (old.left + old.right) / 2, imaginary: (old.bottom + old.top) / 2 };
    const [half, halfUp] = [(factor * (old.right - old.left)) / 2, (factor * (old.top - old.bottom)) / 2];
    this.zoomTo({
      left: middle.real - half,
      right: middle.real + half,
      bottom: middle.imaginary - halfUp,
      top: middle.imaginary + halfUp,
    });
  }

  private zoomTo(window: Window | undefined): void {
    this.window = window;
    this.draw();
  }

  /** A window that just holds what the methods say of the chosen mode, with their error bounds. */
  private zoomToErrors(): void {
    const [real, imaginary] = this.choice.mode?.s ?? [null, null];
    if (real === null || imaginary === null || this.logarithmic) return;
    const roots = methodNames.map(method => (this.shown.has(method) ? this.nearestRoot(method) : undefined));
    const reach = roots.map(root => (root ? Math.hypot(root.real - real, root.imaginary - imaginary) + root.error : 0));
    const half = 1.4 * Math.max(...reach, 1e-15 * Math.hypot(real, imaginary), 1e-300);
    this.zoomTo({ left: real - half, right: real + half, bottom: imaginary - half, top: imaginary + half });
  }

  private listen(): void {
    let start: { x: number; y: number; window: Window } | undefined;
    this.host.addEventListener('pointerdown', event => {
      this.dragged = false;
      if (!this.logarithmic && event.pointerType === 'mouse')
        start = { x: event.clientX, y: event.clientY, window: this.currentWindow() };
    });
    this.host.addEventListener('pointermove', event => {
      if (!start || !(event.buttons & 1) || !this.scales) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (!this.dragged && Math.hypot(dx, dy) < 4) return;
      this.dragged = true;
      const across = this.scales.x.toValue(dx) - this.scales.x.toValue(0);
      const up = this.scales.y.toValue(dy) - this.scales.y.toValue(0);
      const { window } = start;
      this.zoomTo({
        left: window.left - across,
        right: window.right - across,
        bottom: window.bottom - up,
        top: window.top - up,
      });
    });
    window.addEventListener('pointerup', () => (start = undefined));
    this.host.addEventListener('dblclick', () => this.zoomTo(undefined));
  }
}

const isTrue = (root: Root): boolean => root.class !== 'spurious';

function windowAround(roots: Root[]): Window {
  const reals = roots.map(root => root.real);
  const imaginaries = roots.map(root => root.imaginary);
  const low = Math.min(0, ...reals);
  const high = Math.max(0, ...reals);
  const most = Math.max(0, ...imaginaries);
  // Where nothing is damped there is no width to show.
  const isUndamped = high - low <= 1e-6 * most;
  const span = (isUndamped ? 0.2 * most : Math.max(high - low, 1e-3 * most)) || 1;
  const top = Math.max(most, 0.5 * span) || 1;
  return {
    left: low - 0.14 * span,
    right: Math.max(high + 0.14 * span, 0.16 * span),
    bottom: -1.1 * top,
    top: 1.1 * top,
  };
}

const inside = (window: Window, real: number, imaginary: number): boolean =>
  real >= window.left && real <= window.right && imaginary >= window.bottom && imaginary <= window.top;

function insideArea({ width, height: high, margins }: ChartArea, x: number, y: number): boolean {
  const room = 2;
  return (
    x >= margins.left - room &&
    x <= width - margins.right + room &&
    y >= margins.top - room &&
    y <= high - margins.bottom + room
  );
}

function narrow(window: Window): boolean {
  const size = Math.max(Math.abs(window.left), Math.abs(window.right), Math.abs(window.top), Math.abs(window.bottom));
  return Math.max(window.right - window.left, window.top - window.bottom) < 1e-2 * size;
}

function shiftTicks(scale: Scale, middle: number, from: number, to: number): void {
  scale.ticks = linearScale(from - middle, to - middle, 0, 1, 4).ticks.map(tick => tick + middle);
}

/** Rounding leaves a last digit where the middle is subtracted again. */
const cleared = (value: number, span: number): number =>
  Math.abs(value) < 1e-3 * span ? 0 : Number(value.toPrecision(2));

function describe(roots: Root[]): string {
  const counts = methodNames.map(
    method => `${method.toUpperCase()} ${roots.filter(root => root.method === method).length}`,
  );
  return `Complex plane with eigenvalues: ${counts.join(', ')}`;
}
