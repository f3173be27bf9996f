// What connects bodies: links, springs, dampers, actuators, torsion springs, beams.
import { add, besides, distance, subtract, times, unit } from '../rotation.ts';
import type { SceneElement, Vector } from '../scene.ts';
import { addBar } from './bodies.ts';
import type { Pixel, Stroke } from './pen.ts';
import { layers, type Sheet } from './sheet.ts';
import { addSupport } from './supports.ts';
import { drawActuator, drawDamper, drawSpiral, drawSpring, drawSpringAndDamper, spanOf } from './symbols.ts';

export function addLink(sheet: Sheet, link: SceneElement): void {
  const [from, to] = endsOf(sheet, link);
  if (!from || !to) return;
  const slim = link.mass === undefined ? 0.5 : 1;
  const colour = sheet.isHighlighted(link.name) ? sheet.colours.highlight : undefined;
  addBar(sheet, from, to, Math.max(2.5, slim * sheet.thickness), colour, layers.bars);
}

function endsOf(sheet: Sheet, element: SceneElement): [Vector?, Vector?] {
  const [first, second] = element.places;
  return first && second ? [sheet.place(first), sheet.place(second)] : [];
}

const least = 6; // pixels: what is shorter is not drawn

/** `lane` moves connectors apart that have the same ends: −1, 0, 1 … times their width. */
export function addConnector(sheet: Sheet, element: SceneElement, lane: number): void {
  const ends = endsOf(sheet, element);
  if (!ends[0] || !ends[1]) return;
  const [from, to] = withinThePicture(sheet, element, ends[0], ends[1]);
  const middle = times(0.5, add(from, to));
  sheet.add(layers.springs, middle, () => {
    const half = Math.max(4, 0.85 * sheet.thickness);
    const ends = inLane(sheet.pixel(from), sheet.pixel(to), 3.2 * lane * half);
    if (spanOf(...ends).length < least) return;
    drawConnector(sheet, element, ends, half, middle);
  });
}

/** What is fastened far outside of the picture is cut short, at a wall. */
function withinThePicture(sheet: Sheet, element: SceneElement, from: Vector, to: Vector): [Vector, Vector] {
  const most = 2 * sheet.scene.size;
  if (distance(from, to) <= most) return [from, to];
  const isFirstFar = element.places[0]!.frame < 0;
  const near = isFirstFar ? to : from;
  const along = unit(subtract(isFirstFar ? from : to, near));
  const end = add(near, times(0.4 * sheet.scene.size, along));
  if (!sheet.look.silhouette) addSupport(sheet, { kind: 'wall', at: end, towards: times(-1, along) });
  return isFirstFar ? [end, near] : [near, end];
}

function inLane(from: Pixel, to: Pixel, offset: number): [Pixel, Pixel] {
  const { direction } = spanOf(from, to);
  const [x, y] = [offset * direction[1], -offset * direction[0]];
  return [
    [from[0] + x, from[1] + y],
    [to[0] + x, to[1] + y],
  ];
}

function drawConnector(sheet: Sheet, element: SceneElement, ends: [Pixel, Pixel], half: number, middle: Vector): void {
  const { pen, colours, look } = sheet;
  const width = look.silhouette ? 1 : 1.7;
  const spring: Stroke = { colour: sheet.at(middle, colours.spring), width };
  const damper: Stroke = { colour: sheet.at(middle, colours.damper), width };
  if (look.detail === 'plain') return pen.line(ends, { ...spring, width: 1 });
  switch (element.role) {
    case 'damper':
      return drawDamper(pen, ...ends, half, damper);
    case 'actuator':
      return drawActuator(pen, ...ends, half, sheet.at(middle, colours.ground), damper);
    default:
      if (element.damping && spanOf(...ends).length > 14 * half)
        drawSpringAndDamper(pen, ...ends, half, spring, damper);
      else drawSpring(pen, ...ends, half, spring);
  }
}

export function addTorsion(sheet: Sheet, element: SceneElement): void {
  const place = element.places[0];
  if (!place) return;
  const at = sheet.place(place);
  sheet.add(layers.joints, at, () => {
    const { colours } = sheet;
    const damps = element.kind === 'torsion_damper';
    const colour = sheet.at(at, damps ? colours.damper : colours.spring);
    const radius = 1.5 * sheet.thickness;
    if (damps) sheet.pen.arc(sheet.pixel(at), radius * 1.15, 0.2 * Math.PI, 1.3 * Math.PI, { colour, width: 2 });
    else drawSpiral(sheet.pen, sheet.pixel(at), radius, { colour, width: 1.4 });
  });
}

const piecesOfABeam = 8;

export function addBeam(sheet: Sheet, beam: SceneElement): void {
  const width = 0.75 * sheet.thickness;
  const colour = sheet.isHighlighted(beam.name) ? sheet.colours.highlight : undefined;
  for (const curve of curvesOfBeam(sheet, beam, piecesOfABeam)) {
    if (sheet.camera.inSpace && curve.length === 2) {
      addBar(sheet, curve[0]!, curve[1]!, width, colour, layers.bars);
      continue;
    }
    addCurve(sheet, curve, width, colour);
  }
}

/** One outline around the whole curve, so that it has no seams. */
function addCurve(sheet: Sheet, curve: Vector[], width: number, colour: string | undefined): void {
  const middle = curve[Math.floor(curve.length / 2)]!;
  sheet.add(layers.bars, middle, () => {
    const { pen, colours, look } = sheet;
    const points = curve.map(point => sheet.pixel(point));
    const thin = look.silhouette !== undefined || look.detail === 'plain';
    pen.line(points, { colour: sheet.at(middle, colour ?? colours.body), width: thin ? 0.8 * width : width });
  });
  // The outlines of all pieces lie beneath all fillings, so that pieces that meet have no line between them.
  sheet.add(layers.springs, middle, () => {
    const { pen, colours, look } = sheet;
    if (look.silhouette || look.detail === 'plain') return;
    const points = curve.map(point => sheet.pixel(point));
    pen.line(points, { colour: sheet.at(middle, colours['body-edge']), width: width + 2 });
  });
}

/** A beam's pieces as curves through points; a flexible body's are the lines between its places. */
export function curvesOfBeam(sheet: Sheet, beam: SceneElement, pieces: number): Vector[][] {
  const points = beam.places.map(place => sheet.place(place));
  if (beam.lines) return beam.lines.map(([from, to]) => [points[from]!, points[to]!]);
  const curves: Vector[][] = [];
  for (let piece = 1; piece < points.length; piece++) {
    const tangents = [piece - 1, piece].map(end => tangentAt(sheet, beam, end));
    const [start, end] = tangents;
    if (start && end) curves.push(hermite(points[piece - 1]!, points[piece]!, start, end, pieces));
    else curves.push([points[piece - 1]!, points[piece]!]);
  }
  return curves;
}

function tangentAt(sheet: Sheet, beam: SceneElement, end: number): Vector | undefined {
  const tangent = beam.axes?.[end];
  return tangent && sheet.pose.direction(beam.places[end]!.frame, tangent);
}

/** The cubic curve with the given ends and end tangents: the shape of a beam that is bent at its ends only. */
export function hermite(from: Vector, to: Vector, start: Vector, end: Vector, pieces: number): Vector[] {
  return Array.from({ length: pieces + 1 }, (_, piece): Vector => {
    const t = piece / pieces;
    const shares = [2 * t ** 3 - 3 * t ** 2 + 1, t ** 3 - 2 * t ** 2 + t, 3 * t ** 2 - 2 * t ** 3, t ** 3 - t ** 2];
    return [0, 1, 2].map(
      axis => shares[0]! * from[axis]! + shares[1]! * start[axis]! + shares[2]! * to[axis]! + shares[3]! * end[axis]!,
    ) as Vector;
  });
}

/** A circle around an axis, in space, for torques. */
export function circleAround(centre: Vector, axis: Vector, radius: number, from: number, to: number): Vector[] {
  const [first, second] = besides(axis);
  return Array.from({ length: 25 }, (_, step): Vector => {
    const angle = from + ((to - from) * step) / 24;
    return add(centre, add(times(radius * Math.cos(angle), first), times(radius * Math.sin(angle), second)));
  });
}
