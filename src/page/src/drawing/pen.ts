// What drawings are made with: a few strokes and fillings in pixels. One pen draws on a canvas, another writes SVG.

export type Pixel = readonly [x: number, y: number];

export interface Stroke {
  colour: string;
  width: number;
  dashes?: number[];
}

export interface Pen {
  line(points: readonly Pixel[], stroke: Stroke, closed?: boolean): void;
  area(points: readonly Pixel[], colour: string, outline?: Stroke): void;
  circle(centre: Pixel, radius: number, colour: string | undefined, outline?: Stroke): void;
  arc(centre: Pixel, radius: number, from: number, to: number, stroke: Stroke): void;
  ellipse(centre: Pixel, halves: Pixel, angle: number, colour: string, outline: Stroke): void;
  /** Many short lines: x, y, x, y of each in turn. */
  segments(ends: Float32Array, stroke: Stroke): void;
  text(text: string, at: Pixel, colour: string, align?: 'left' | 'center' | 'right', halo?: string): void;
  fade(opacity: number): void;
}

const segmentsInAPath = 1024; // one path of ten thousand is slow, and so are ten thousand paths
export const fontOfDrawings = "12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";

export class CanvasPen implements Pen {
  constructor(private readonly context: CanvasRenderingContext2D) {
    context.lineCap = 'round';
    context.lineJoin = 'round';
  }

  line(points: readonly Pixel[], stroke: Stroke, closed = false): void {
    this.path(points, closed);
    this.stroke(stroke);
  }

  area(points: readonly Pixel[], colour: string, outline?: Stroke): void {
    this.path(points, true);
    this.context.fillStyle = colour;
    this.context.fill();
    if (outline) this.stroke(outline);
  }

  circle(centre: Pixel, radius: number, colour: string | undefined, outline?: Stroke): void {
    this.context.beginPath();
    this.context.arc(centre[0], centre[1], radius, 0, 2 * Math.PI);
    if (colour) {
      this.context.fillStyle = colour;
      this.context.fill();
    }
    if (outline) this.stroke(outline);
  }

  arc(centre: Pixel, radius: number, from: number, to: number, stroke: Stroke): void {
    this.context.beginPath();
    this.context.arc(centre[0], centre[1], radius, from, to);
    this.stroke(stroke);
  }

  ellipse(centre: Pixel, halves: Pixel, angle: number, colour: string, outline: Stroke): void {
    this.context.beginPath();
    this.context.ellipse(centre[0], centre[1], halves[0], halves[1], angle, 0, 2 * Math.PI);
    this.context.fillStyle = colour;
    this.context.fill();
    this.stroke(outline);
  }

  segments(ends: Float32Array, stroke: Stroke): void {
    const { context } = this;
    for (let start = 0; start < ends.length; start += 4 * segmentsInAPath) {
      const end = Math.min(ends.length, start + 4 * segmentsInAPath);
      context.beginPath();
      for (let index = start; index < end; index += 4) {
        context.moveTo(ends[index]!, ends[index + 1]!);
        context.lineTo(ends[index + 2]!, ends[index + 3]!);
      }
      this.stroke(stroke);
    }
  }

  text(text: string, at: Pixel, colour: string, align: CanvasTextAlign = 'left', halo?: string): void {
    const { context } = this;
    context.font = fontOfDrawings;
    context.textAlign = align;
    if (halo) {
      context.lineWidth = 4;
      context.strokeStyle = halo;
      context.strokeText(text, at[0], at[1]);
    }
    context.fillStyle = colour;
    context.fillText(text, at[0], at[1]);
  }

  fade(opacity: number): void {
    this.context.globalAlpha = opacity;
  }

  private path(points: readonly Pixel[], closed: boolean): void {
    this.context.beginPath();
    points.forEach((point, index) => {
      if (index === 0) this.context.moveTo(point[0], point[1]);
      else this.context.lineTo(point[0], point[1]);
    });
    if (closed) this.context.closePath();
  }

  private stroke(stroke: Stroke): void {
    this.context.lineWidth = stroke.width;
    this.context.strokeStyle = stroke.colour;
    if (stroke.dashes) this.context.setLineDash(stroke.dashes);
    this.context.stroke();
    if (stroke.dashes) this.context.setLineDash([]);
  }
}
