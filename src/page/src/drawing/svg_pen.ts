// The pen that writes a drawing as SVG, for the button that saves it.
import { fontOfDrawings, type Pen, type Pixel, type Stroke } from './pen.ts';
import { pathThrough, svgElement } from '../svg.ts';

type Attributes = Record<string, string | number>;

export class SvgPen implements Pen {
  private opacity = 1;

  constructor(private readonly picture: SVGElement) {}

  line(points: readonly Pixel[], stroke: Stroke, closed = false): void {
    this.add('path', { d: this.path(points, closed), fill: 'none', ...this.strokeOf(stroke) });
  }

  area(points: readonly Pixel[], colour: string, outline?: Stroke): void {
    this.add('path', { d: this.path(points, true), fill: colour, ...this.strokeOf(outline) });
  }

  circle(centre: Pixel, radius: number, colour: string | undefined, outline?: Stroke): void {
    this.add('circle', { cx: centre[0], cy: centre[1], r: radius, fill: colour ?? 'none', ...this.strokeOf(outline) });
  }

  arc(centre: Pixel, radius: number, from: number, to: number, stroke: Stroke): void {
    const pieces = 24;
    const points = Array.from({ length: pieces + 1 }, (_, piece): Pixel => {
      const angle = from + ((to - from) * piece) / pieces;
      return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
    });
    this.line(points, stroke);
  }

  ellipse(centre: Pixel, halves: Pixel, angle: number, colour: string, outline: Stroke): void {
    const transform = `translate(${centre[0]},${centre[1]}) rotate(${(180 * angle) / Math.PI})`;
    this.add('ellipse', { rx: halves[0], ry: halves[1], transform, fill: colour, ...this.strokeOf(outline) });
  }

  segments(ends: Float32Array, stroke: Stroke): void {
    const points: (Pixel | undefined)[] = [];
    for (let index = 0; index < ends.length; index += 4)
      points.push([ends[index]!, ends[index + 1]!], [ends[index + 2]!, ends[index + 3]!], undefined);
    this.add('path', { d: pathThrough(points), fill: 'none', ...this.strokeOf(stroke) });
  }

  text(text: string, at: Pixel, colour: string, align: 'left' | 'center' | 'right' = 'left', halo?: string): void {
    const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
    const behind = halo ? { stroke: halo, 'stroke-width': 4, 'paint-order': 'stroke' } : {};
    const style = `font:${fontOfDrawings}`;
    this.add('text', { x: at[0], y: at[1], fill: colour, 'text-anchor': anchor, style, ...behind }, text);
  }

  fade(opacity: number): void {
    this.opacity = opacity;
  }

  private add(name: string, attributes: Attributes, text?: string): void {
    const all = this.opacity < 1 ? { ...attributes, opacity: this.opacity } : attributes;
    svgElement(name, all, this.picture, text);
  }

  private path(points: readonly Pixel[], closed: boolean): string {
    return pathThrough([...points]) + (closed ? 'Z' : '');
  }

  private strokeOf(stroke: Stroke | undefined): Attributes {
    if (!stroke) return {};
    const dashes = stroke.dashes ? { 'stroke-dasharray': stroke.dashes.join(' ') } : {};
    const ends = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
    return { stroke: stroke.colour, 'stroke-width': stroke.width, ...ends, ...dashes };
  }
}
