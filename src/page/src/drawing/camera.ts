// From metres to pixels. In the plane x goes to the right and y up; space is seen from a side and a little from above,
// with gravity down, without perspective, so that equal lengths stay equal.
import type { Pixel } from './pen.ts';
import { cross, dot, subtract, unit } from '../rotation.ts';
import type { Scene, Vector } from '../scene.ts';

interface Axes {
  right: Vector;
  up: Vector;
  towards: Vector; // to the reader
}

const planeAxes: Axes = { right: [1, 0, 0], up: [0, 1, 0], towards: [0, 0, 1] };
const firstTilt = 0.33; // rad, from above
const firstTurn = 0.5; // rad, off the side from which most is seen
const shareOfMargin = 0.1;

export class Camera {
  private axes = planeAxes;
  private centre: Pixel = [0, 0]; // of the picture, in metres along right and up
  private fit = 1; // pixels a metre, when all is in view
  private zoom = 1;
  private shift: [number, number] = [0, 0];
  private turn = firstTurn;
  private tilt = firstTilt;
  private points: Vector[] = [];
  private diagonal = 1; // metres
  width = 1;
  height = 1;

  constructor(private readonly scene: Scene) {
    this.turnAxes();
  }

  get scale(): number {
    return this.fit * this.zoom;
  }

  /** The diagonal of what is to be seen, in pixels. */
  get across(): number {
    return this.scale * this.diagonal;
  }

  get inSpace(): boolean {
    return this.scene.dimension === 3;
  }

  /** The picture must hold these points. */
  hold(points: Vector[]): void {
    this.points = points;
    if (this.inSpace) this.turn = sideOfMost(points, this.vertical()) + firstTurn;
    this.turnAxes();
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.frame();
  }

  /** Width by height of what is to be seen. */
  proportions(): number {
    const { left, right, bottom, top } = this.extent();
    return (right - left) / Math.max(top - bottom, 1e-9 * this.scene.size);
  }

  toPixel(point: Vector): Pixel {
    const { right, up } = this.axes;
    const scale = this.scale;
    return [
      this.width / 2 + this.shift[0] + (dot(point, right) - this.centre[0]) * scale,
      this.height / 2 + this.shift[1] - (dot(point, up) - this.centre[1]) * scale,
    ];
  }

  /** A direction on the screen; how long it is, is how much of it is seen. */
  toScreen(vector: Vector): Pixel {
    return [dot(vector, this.axes.right), -dot(vector, this.axes.up)];
  }

  /** Larger is nearer to the reader. */
  nearness(point: Vector): number {
    return dot(point, this.axes.towards);
  }

  get towards(): Vector {
    return this.axes.towards;
  }

  get screenAxes(): [Vector, Vector] {
    return [this.axes.right, this.axes.up];
  }

  moveBy(x: number, y: number): void {
    this.shift = [this.shift[0] + x, this.shift[1] + y];
  }

  turnBy(turn: number, tilt: number): void {
    this.turn += turn;
    this.tilt = Math.max(-1.5, Math.min(1.5, this.tilt + tilt));
    this.turnAxes();
  }

  zoomBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    const fromMiddle: Pixel = [x - this.width / 2, y - this.height / 2];
    this.shift = [
      fromMiddle[0] - factor * (fromMiddle[0] - this.shift[0]),
      fromMiddle[1] - factor * (fromMiddle[1] - this.shift[1]),
    ];
    this.zoom *= factor;
  }

  reset(): void {
    this.zoom = 1;
    this.shift = [0, 0];
    this.tilt = firstTilt;
    this.hold(this.points);
    this.frame();
  }

  private vertical(): Vector {
    const { gravity } = this.scene;
    return gravity.some(value => value !== 0) ? unit([-gravity[0], -gravity[1], -gravity[2]]) : [0, 0, 1];
  }

  private turnAxes(): void {
    if (!this.inSpace) return;
    const vertical = this.vertical();
    const [first, second] = levelDirections(vertical);
    const mixed = (turn: number): Vector => combine(Math.cos(turn), first, Math.sin(turn), second);
    const towardsLevel = mixed(this.turn);
    const towards = combine(Math.cos(this.tilt), towardsLevel, Math.sin(this.tilt), vertical);
    const right = unit(cross(vertical, towardsLevel));
    this.axes = { right, up: cross(towards, right), towards };
  }

  private extent(): { left: number; right: number; bottom: number; top: number } {
    const bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    for (const point of this.points) {
      const x = dot(point, this.axes.right);
      const y = dot(point, this.axes.up);
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.bottom = Math.min(bounds.bottom, y);
      bounds.top = Math.max(bounds.top, y);
    }
    const across = Math.hypot(bounds.right - bounds.left, bounds.top - bounds.bottom);
    const margin = shareOfMargin * (Number.isFinite(across) && across > 0 ? across : this.scene.size);
    if (bounds.left > bounds.right) return { left: -margin, right: margin, bottom: -margin, top: margin };
    return {
      left: bounds.left - margin,
      right: bounds.right + margin,
      bottom: bounds.bottom - margin,
      top: bounds.top + margin,
    };
  }

  private frame(): void {
    const { left, right, bottom, top } = this.extent();
    this.centre = [(left + right) / 2, (bottom + top) / 2];
    this.fit = Math.min(this.width / (right - left), this.height / (top - bottom));
    this.diagonal = Math.hypot(right - left, top - bottom) / (1 + 2 * shareOfMargin);
  }
}

function combine(share: number, one: Vector, otherShare: number, other: Vector): Vector {
  return [
    share * one[0] + otherShare * other[0],
    share * one[1] + otherShare * other[1],
    share * one[2] + otherShare * other[2],
  ];
}

/** Two level directions, square to each other; the first is x where that is level. */
function levelDirections(vertical: Vector): [Vector, Vector] {
  const start: Vector = Math.abs(vertical[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const first = unit(combine(1, start, -dot(start, vertical), vertical));
  return [first, cross(vertical, first)];
}

/** The turn at which the reader looks along the level direction in which the points spread least. */
function sideOfMost(points: Vector[], vertical: Vector): number {
  const [first, second] = levelDirections(vertical);
  const middle = points.reduce((sum, point) => combine(1, sum, 1 / points.length, point), [0, 0, 0] as Vector);
  let alongFirst = 0;
  let alongSecond = 0;
  let both = 0;
  for (const point of points) {
    const offset = subtract(point, middle);
    const x = dot(offset, first);
    const y = dot(offset, second);
    alongFirst += x * x;
    alongSecond += y * y;
    both += x * y;
  }
  const widest = 0.5 * Math.atan2(2 * both, alongFirst - alongSecond);
  return widest - Math.PI / 2;
}
