// A canvas with the mechanism on it: it zooms, turns and shifts it, and draws what it is told.
import { longest } from './drawing/arrows.ts';
import { CanvasPen, type Pen } from './drawing/pen.ts';
import { Camera } from './drawing/camera.ts';
import { colours, forgetColours, mix } from './drawing/colours.ts';
import { Drawing } from './drawing/drawing.ts';
import type { Detail } from './drawing/sheet.ts';
import { SvgPen } from './drawing/svg_pen.ts';
import { make } from './dom.ts';
import type { Pose } from './pose.ts';
import { size, subtract, times, unit } from './rotation.ts';
import type { Place, Scene, Vector } from './scene.ts';
import { svgElement, svgPicture } from './svg.ts';

/** What is to be seen: the mechanism now, perhaps how it rests, other instants, and paths. */
export interface Picture {
  now: Pose;
  rest?: Pose;
  others?: Pose[];
  paths?: Vector[][];
}

const narrowest = 1.15;
const widest = 2.6;
const mostPointsToHold = 4000;

const everyView: MechanismView[] = [];

/** After a change of colours: light or dark, screen or paper. */
export function redrawEveryView(): void {
  forgetColours();
  for (const view of everyView) view.redraw();
}

export class MechanismView {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  readonly drawing: Drawing;
  names = false;
  forces = false;
  highlighted: ReadonlySet<string> = new Set();
  private picture: Picture;
  private dragging = false;

  constructor(
    readonly scene: Scene,
    readonly rest: Pose,
    label: string,
  ) {
    this.canvas = make('canvas', { attributes: { role: 'img', 'aria-label': label } });
    this.camera = new Camera(scene);
    this.drawing = new Drawing(scene, rest);
    this.picture = { now: rest };
    this.hold(pointsToHold(scene, rest));
    this.listen();
    everyView.push(this);
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  /** The picture is made so large that it holds these points. */
  hold(points: Vector[]): void {
    this.camera.hold(points);
    this.canvas.style.aspectRatio = String(Math.max(narrowest, Math.min(widest, this.camera.proportions())));
  }

  show(picture: Picture): void {
    this.picture = picture;
    this.redraw();
  }

  get shown(): Picture {
    return this.picture;
  }

  redraw(): void {
    const { canvas, camera } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio;
    const pixels = [Math.round(width * ratio), Math.round(height * ratio)] as const;
    if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
    camera.resize(width, height);
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.paint(new CanvasPen(context));
  }

  /** The picture as an SVG file. */
  asSvg(): string {
    const { camera } = this;
    const picture = svgPicture(camera.width, camera.height, this.canvas.getAttribute('aria-label') ?? '');
    svgElement('rect', { width: camera.width, height: camera.height, fill: colours().paper }, picture);
    this.paint(new SvgPen(picture));
    return new XMLSerializer().serializeToString(picture);
  }

  private paint(pen: Pen): void {
    const { drawing, camera, picture } = this;
    const detail = this.detailNow();
    const look = { detail, forces: this.forces, names: this.names, highlighted: this.highlighted };
    const still = { ...look, names: false, forces: false };
    if (picture.rest) drawing.paint(pen, camera, picture.rest, { ...still, silhouette: colours().ghost });
    for (const path of picture.paths ?? [])
      pen.line(
        path.map(point => camera.toPixel(point)),
        { colour: colours().trace, width: 1.4 },
      );
    const silhouette = mix(colours().body, colours().paper, 0.4);
    for (const pose of picture.others ?? []) drawing.paint(pen, camera, pose, { ...still, silhouette });
    drawing.paint(pen, camera, picture.now, look);
  }

  /** While space is being turned one level of detail less is drawn. */
  private detailNow(): Detail {
    const detail = this.drawing.detail();
    return this.dragging && this.camera.inSpace && detail === 'plain' ? 'hairlines' : detail;
  }

  zoomBy(factor: number, x?: number, y?: number): void {
    this.camera.zoomBy(factor, x, y);
    this.redraw();
  }

  reset(): void {
    this.camera.reset();
    this.redraw();
  }

  turnBy(turn: number, tilt: number): void {
    if (this.camera.inSpace) this.camera.turnBy(turn, tilt);
    else this.camera.moveBy(-60 * turn, 60 * tilt);
    this.redraw();
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener(
      'wheel',
      event => {
        // Without a key the wheel scrolls the page, as everywhere.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoomBy(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
      },
      { passive: false },
    );
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      this.dragging = true;
    });
    canvas.addEventListener('pointerup', () => {
      this.dragging = false;
      this.redraw();
    });
    canvas.addEventListener('pointermove', event => {
      if (!this.dragging) return;
      if (this.camera.inSpace && !event.shiftKey) this.camera.turnBy(-0.008 * event.movementX, 0.008 * event.movementY);
      else this.camera.moveBy(event.movementX, event.movementY);
      this.redraw();
    });
    canvas.addEventListener('dblclick', () => this.reset());
  }
}

/** The ends of everything that is drawn. */
export function pointsToHold(scene: Scene, pose: Pose): Vector[] {
  const places: Place[] = scene.elements.flatMap(element => element.places);
  scene.frames.forEach((frame, index) => {
    places.push({ frame: index, at: [0, 0, 0] }, { frame: index, at: frame.centre ?? [0, 0, 0] });
  });
  for (const shape of scene.primitives) {
    const own = 'points' in shape ? shape.points : 'a' in shape ? [shape.a, shape.b] : cornersAround(shape);
    for (const at of own) places.push({ frame: shape.frame, at });
  }
  const points = places.filter(place => place.frame >= 0 || isNear(scene, place.at)).map(place => pose.place(place));
  points.push(...tailsOfForces(scene, pose));
  const step = Math.max(1, Math.ceil(points.length / mostPointsToHold));
  return points.filter((_point, index) => index % step === 0);
}

function tailsOfForces(scene: Scene, pose: Pose): Vector[] {
  return scene.elements.flatMap(({ role, places: [place], vector, follows }) => {
    if (role !== 'force' || !place || !vector || size(vector) === 0) return [];
    const along = unit(follows ? pose.direction(place.frame, vector) : vector);
    return [subtract(pose.place(place), times(longest * scene.size, along))];
  });
}

/** A spring may be fastened so far away that the mechanism would be a dot: such an end is left out of the picture. */
function isNear({ box: [low, high], size: reach }: Scene, point: Vector): boolean {
  return point.every((value, axis) => value >= low[axis]! - reach && value <= high[axis]! + reach);
}

function cornersAround(shape: { centre: Vector; radius?: number; half?: Vector }): Vector[] {
  const reach = shape.radius ?? Math.max(...(shape.half ?? [0]));
  const [x, y, z] = shape.centre;
  return [
    [x - reach, y, z],
    [x + reach, y, z],
    [x, y - reach, z],
    [x, y + reach, z],
    [x, y, z - reach],
    [x, y, z + reach],
  ];
}
