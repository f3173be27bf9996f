// The signs of a textbook, in pixels: springs, dampers, supports, walls, arrows.
import type { Pen, Pixel, Stroke } from './pen.ts';

/** A point along the line from `start` in `direction`, and to its left. */
function beside(start: Pixel, direction: Pixel, along: number, left: number): Pixel {
  return [start[0] + direction[0] * along + direction[1] * left, start[1] + direction[1] * along - direction[0] * left];
}

interface Span {
  direction: Pixel;
  length: number;
}

export function spanOf(from: Pixel, to: Pixel): Span {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const direction: Pixel = length > 0 ? [(to[0] - from[0]) / length, (to[1] - from[1]) / length] : [1, 0];
  return { direction, length };
}

const coils = 8;
const shareOfCoils = 0.64;

export function drawSpring(pen: Pen, from: Pixel, to: Pixel, halfWidth: number, stroke: Stroke): void {
  const { direction, length } = spanOf(from, to);
  const start = ((1 - shareOfCoils) / 2) * length;
  const points: Pixel[] = [from, beside(from, direction, start, 0)];
  for (let coil = 0; coil < 2 * coils; coil++) {
    const along = start + (shareOfCoils * length * (coil + 0.5)) / (2 * coils);
    points.push(beside(from, direction, along, coil % 2 === 0 ? halfWidth : -halfWidth));
  }
  points.push(beside(from, direction, length - start, 0), to);
  pen.line(points, stroke);
}

/** A dashpot: a cup that is open towards `to`, and a piston in it. */
export function drawDamper(pen: Pen, from: Pixel, to: Pixel, halfWidth: number, stroke: Stroke): void {
  const { direction, length } = spanOf(from, to);
  const cup = Math.min(0.3 * length, 4.5 * halfWidth);
  const middle = length / 2;
  const at = (along: number, left: number): Pixel => beside(from, direction, along, left);
  pen.line([from, at(middle - cup / 2, 0)], stroke);
  const corners = [at(middle + cup / 2, halfWidth), at(middle - cup / 2, halfWidth)];
  pen.line([...corners, at(middle - cup / 2, -halfWidth), at(middle + cup / 2, -halfWidth)], stroke);
  pen.line([at(middle, 0.7 * halfWidth), at(middle, -0.7 * halfWidth)], stroke);
  pen.line([at(middle, 0), to], stroke);
}

/** A cylinder with its rod. */
export function drawActuator(pen: Pen, from: Pixel, to: Pixel, halfWidth: number, fill: string, stroke: Stroke): void {
  const { direction, length } = spanOf(from, to);
  const at = (along: number, left: number): Pixel => beside(from, direction, along, left);
  pen.line([from, to], stroke);
  const box = [
    at(0.2 * length, halfWidth),
    at(0.6 * length, halfWidth),
    at(0.6 * length, -halfWidth),
    at(0.2 * length, -halfWidth),
  ];
  pen.area(box, fill, stroke);
}

/** Spring and dashpot side by side, with a bar at each end. */
export function drawSpringAndDamper(
  pen: Pen,
  from: Pixel,
  to: Pixel,
  halfWidth: number,
  spring: Stroke,
  damper: Stroke,
): void {
  const { direction, length } = spanOf(from, to);
  const at = (along: number, left: number): Pixel => beside(from, direction, along, left);
  const side = 1.35 * halfWidth;
  const end = 0.14 * length;
  for (const [outer, inner] of [
    [0, end],
    [length, length - end],
  ] as const) {
    pen.line([at(outer, 0), at(inner, 0)], spring);
    pen.line([at(inner, side), at(inner, -side)], spring);
  }
  drawSpring(pen, at(end, side), at(length - end, side), 0.9 * halfWidth, spring);
  drawDamper(pen, at(end, -side), at(length - end, -side), 0.7 * halfWidth, damper);
}

const turnsOfSpiral = 2.25;

export function drawSpiral(pen: Pen, centre: Pixel, radius: number, stroke: Stroke): void {
  const points: Pixel[] = [];
  for (let step = 0; step <= 48; step++) {
    const angle = (2 * Math.PI * turnsOfSpiral * step) / 48;
    const reach = (radius * (6 + step)) / 54;
    points.push([centre[0] + reach * Math.cos(angle), centre[1] - reach * Math.sin(angle)]);
  }
  pen.line(points, stroke);
}

/** Short slanted lines along an edge: what is behind it is the ground. The edge is seen with the ground to its right. */
export function drawHatching(pen: Pen, from: Pixel, to: Pixel, depth: number, stroke: Stroke): void {
  const { direction, length } = spanOf(from, to);
  const count = Math.max(3, Math.round(length / (0.8 * depth)));
  for (let line = 0; line <= count; line++) {
    const along = (length * line) / count;
    pen.line([beside(from, direction, along, 0), beside(from, direction, along - 0.7 * depth, -depth)], stroke);
  }
}

/** A support: a triangle with its tip where the joint is, on hatched ground; `up` is the direction of its tip. */
export function drawSupport(pen: Pen, tip: Pixel, up: Pixel, height: number, fill: string, stroke: Stroke): void {
  const base = beside(tip, up, -height, 0);
  const left = beside(base, up, 0, 0.72 * height);
  const right = beside(base, up, 0, -0.72 * height);
  pen.area([tip, left, right], fill, stroke);
  drawGroundLine(pen, base, up, 1.15 * height, 0.42 * height, stroke);
}

/** A line of hatched ground through a point; `up` points away from the ground. */
export function drawGroundLine(pen: Pen, middle: Pixel, up: Pixel, half: number, depth: number, stroke: Stroke): void {
  const left = beside(middle, up, 0, half);
  const right = beside(middle, up, 0, -half);
  pen.line([left, right], stroke);
  drawHatching(pen, left, right, depth, { ...stroke, width: 1 });
}

export function drawArrow(pen: Pen, from: Pixel, to: Pixel, colour: string, width = 2): void {
  const { direction, length } = spanOf(from, to);
  const head = Math.min(9 + width, 0.6 * length);
  const neck = beside(from, direction, length - 0.8 * head, 0);
  pen.line([from, neck], { colour, width });
  const barbs = [
    beside(from, direction, length - head, 0.42 * head),
    beside(from, direction, length - head, -0.42 * head),
  ];
  pen.area([to, barbs[0]!, neck, barbs[1]!], colour);
}

/** An arrow around a point. */
export function drawTurningArrow(
  pen: Pen,
  centre: Pixel,
  radius: number,
  anticlockwise: boolean,
  colour: string,
): void {
  const sweep = 1.5 * Math.PI;
  const points: Pixel[] = [];
  for (let step = 0; step <= 30; step++) {
    const angle = 0.3 + (sweep * step) / 30;
    const sense = anticlockwise ? -1 : 1;
    points.push([centre[0] + radius * Math.cos(angle), centre[1] + sense * radius * Math.sin(angle)]);
  }
  pen.line(points.slice(0, -3), { colour, width: 2 });
  drawArrow(pen, points[25]!, points[30]!, colour);
}

/** The centre of mass: a circle in quarters. */
export function drawCentreOfMass(pen: Pen, centre: Pixel, radius: number, dark: string, light: string): void {
  pen.circle(centre, radius, light, { colour: dark, width: 1 });
  for (const start of [0, Math.PI]) {
    const quarter: Pixel[] = [centre];
    for (let step = 0; step <= 6; step++) {
      const angle = start + (Math.PI * step) / 12;
      quarter.push([centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)]);
    }
    pen.area(quarter, dark);
  }
}
