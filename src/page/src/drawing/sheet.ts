// What every part of a drawing needs to know: the pen, where things are, how they are to look.
import type { Pose } from '../pose.ts';
import { subtract } from '../rotation.ts';
import type { Place, Scene, Vector } from '../scene.ts';
import type { Camera } from './camera.ts';
import { type Colours, mix } from './colours.ts';
import type { Pen, Pixel } from './pen.ts';

export type Detail = 'full' | 'plain' | 'hairlines';

export interface Look {
  /** The one colour of a mechanism that stands behind another: how it rests, or where it is at other instants. */
  silhouette?: string | undefined;
  detail: Detail;
  forces: boolean;
  names: boolean;
  /** Names of elements that a section of the page speaks about. */
  highlighted: ReadonlySet<string>;
}

/** A piece of the drawing; pieces of higher order are in front. */
export interface Piece {
  order: number;
  paint(): void;
}

/** In the plane kinds of things are drawn in this order, in space nearer things over farther ones. */
export const layers = { beneath: 0, springs: 1, bars: 2, bodies: 3, masses: 4, joints: 5, arrows: 6 } as const;
export type Layer = (typeof layers)[keyof typeof layers];

const strengthOfFog = 0.42;

export class Sheet {
  readonly pieces: Piece[] = [];
  /** Pixels: the width of a bar. */
  readonly thickness: number;
  private readonly nearest: number;
  private readonly farthest: number;

  constructor(
    readonly pen: Pen,
    readonly camera: Camera,
    readonly scene: Scene,
    readonly pose: Pose,
    readonly colours: Colours,
    readonly look: Look,
  ) {
    this.thickness = Math.max(3.2, Math.min(18, 0.0125 * camera.across));
    const middle = this.nearnessOf(scene.box[0], scene.box[1]);
    this.nearest = middle + 0.5 * scene.size;
    this.farthest = middle - 0.5 * scene.size;
  }

  private nearnessOf(one: Vector, other: Vector): number {
    return this.camera.nearness([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2, (one[2] + other[2]) / 2]);
  }

  add(layer: Layer, middle: Vector, paint: () => void): void {
    // In space a joint lies just in front of the bars that it joins.
    const bias = (0.012 * layer - 0.03) * this.scene.size;
    const order = this.camera.inSpace ? this.camera.nearness(middle) + bias : layer;
    this.pieces.push({ order, paint });
  }

  paint(): void {
    this.pieces.sort((one, other) => one.order - other.order);
    for (const piece of this.pieces) piece.paint();
  }

  place(place: Place): Vector {
    return this.pose.place(place);
  }

  pixel(point: Vector): Pixel {
    return this.camera.toPixel(point);
  }

  /** The colour at a depth: what is far is paler. */
  at(middle: Vector, colour: string): string {
    if (this.look.silhouette) return this.look.silhouette;
    if (!this.camera.inSpace) return colour;
    const depth = (this.nearest - this.camera.nearness(middle)) / (this.nearest - this.farthest);
    return mix(this.colours.paper, colour, strengthOfFog * Math.max(0, Math.min(1, depth)));
  }

  isHighlighted(name: string): boolean {
    return this.look.highlighted.has(name);
  }

  /** On the screen, from one point to the other: direction and length in pixels. */
  between(from: Vector, to: Vector): { direction: Pixel; length: number } {
    const [x, y] = this.camera.toScreen(subtract(to, from));
    const length = Math.hypot(x, y);
    const unit: Pixel = length > 0 ? [x / length, y / length] : [1, 0];
    return { direction: unit, length: length * this.camera.scale };
  }
}
