// The frame of a chart: grid, ticks with labels, titles of the axes.
import { tickLabel } from './numbers.ts';
import type { Scale } from './scale.ts';
import { svgElement, svgPicture } from './svg.ts';

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface ChartArea {
  width: number;
  height: number;
  margins: Margins;
}

export const usualMargins: Margins = { left: 62, right: 14, top: 12, bottom: 42 };

/** As wide as its place on the page, which is narrower on a phone and on paper. */
export function areaOf(host: HTMLElement, height: number, margins = usualMargins): ChartArea {
  return { width: Math.max(260, host.clientWidth), height, margins };
}

export const chartPicture = (area: ChartArea, label: string): SVGElement => svgPicture(area.width, area.height, label);

type Label = (value: number) => string;

export function drawHorizontalAxis(
  picture: SVGElement,
  area: ChartArea,
  scale: Scale,
  title: string,
  label: Label = tickLabel,
): void {
  const { margins } = area;
  const bottom = area.height - margins.bottom;
  for (const tick of scale.ticks) {
    const x = scale.toPixel(tick);
    svgElement('line', { x1: x, x2: x, y1: margins.top, y2: bottom, class: tick === 0 ? 'axis' : 'grid' }, picture);
    svgElement('text', { x, y: bottom + 16, class: 'tick', 'text-anchor': 'middle' }, picture, label(tick));
  }
  const middle = (margins.left + area.width - margins.right) / 2;
  svgElement('text', { x: middle, y: area.height - 6, class: 'axis-title', 'text-anchor': 'middle' }, picture, title);
}

export function drawVerticalAxis(
  picture: SVGElement,
  area: ChartArea,
  scale: Scale,
  title: string,
  label: Label = tickLabel,
): void {
  const { margins } = area;
  for (const tick of scale.ticks) {
    const y = scale.toPixel(tick);
    const ends = { x1: margins.left, x2: area.width - margins.right, y1: y, y2: y };
    svgElement('line', { ...ends, class: tick === 0 ? 'axis' : 'grid' }, picture);
    svgElement('text', { x: margins.left - 7, y: y + 4, class: 'tick', 'text-anchor': 'end' }, picture, label(tick));
  }
  if (!title) return;
  const middle = scale.ticks.length
    ? (scale.toPixel(scale.ticks[0]!) + scale.toPixel(scale.ticks.at(-1)!)) / 2
    : area.height / 2;
  const turned = `translate(13,${middle}) rotate(-90)`;
  svgElement('text', { class: 'axis-title', 'text-anchor': 'middle', transform: turned }, picture, title);
}
