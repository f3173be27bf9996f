// The ground, where something is fastened to it: a hatched support under a joint, a hatched wall at a clamp or a spring.
import { add, distance, size, subtract, times, unit } from '../rotation.ts';
import type { Pose } from '../pose.ts';
import type { Scene, SceneElement, Vector } from '../scene.ts';
import type { Pixel } from './pen.ts';
import { drawGroundLine, drawSupport } from './symbols.ts';
import { layers, type Sheet } from './sheet.ts';

export interface Support {
  kind: 'support' | 'wall' | 'rail';
  at: Vector;
  /** From the support to what it holds, or along a rail. */
  towards: Vector;
}

const rails = new Set(['prismatic', 'slider', 'point_on_line', 'cylindrical']);
const walls = new Set(['clamp', 'weld', 'beam', 'floating_beam', 'flexible_body', 'bushing']);
const rolesWithSupport = new Set(['joint', 'link', 'spring', 'damper', 'actuator', 'beam']);

/** One support at each place of the ground; a joint's sign goes before a spring's. */
export function supportsOf(scene: Scene, rest: Pose): Support[] {
  const found: Support[] = [];
  const ranked = [...scene.elements].sort((one, other) => rankOf(one) - rankOf(other));
  for (const element of ranked) {
    if (!rolesWithSupport.has(element.role)) continue;
    element.places.forEach((place, index) => {
      if (place.frame >= 0 || found.some(other => distance(other.at, place.at) < 1e-6 * scene.size)) return;
      found.push(supportAt(scene, rest, element, index));
    });
  }
  return found;
}

const rankOf = (element: SceneElement): number => ['beam', 'joint', 'link'].indexOf(element.role) >>> 0;

function supportAt(scene: Scene, rest: Pose, element: SceneElement, index: number): Support {
  const at = element.places[index]!.at;
  const along = element.axis ?? [1, 0, 0];
  if (rails.has(element.kind) && index === 0) return { kind: 'rail', at, towards: unit(along) };
  const towards = whatHangsOn(scene, rest, element, index);
  const isWall = walls.has(element.kind) || ['spring', 'damper', 'actuator'].includes(element.role);
  return { kind: isWall ? 'wall' : 'support', at, towards };
}

/** Where the member lies that is fastened here, as seen from the place. */
function whatHangsOn(scene: Scene, rest: Pose, element: SceneElement, index: number): Vector {
  const here = element.places[index]!.at;
  const tangent = element.axes?.[index];
  if (tangent && size(tangent) > 0) return unit(index === 0 ? tangent : times(-1, tangent));
  const other = element.places[index === 0 ? 1 : 0];
  if (!other) return [0, 0, 0];
  const there = rest.place(other);
  const direct = subtract(there, here);
  if (size(direct) > 1e-6 * scene.size) return unit(direct);
  const middle = subtract(middleOfFrame(scene, rest, other.frame) ?? here, here);
  return size(middle) > 1e-6 * scene.size ? unit(middle) : unit(tangentOnFrame(scene, rest, other.frame));
}

/** The direction in which a beam leaves a frame. */
function tangentOnFrame(scene: Scene, rest: Pose, frame: number): Vector {
  for (const element of scene.elements) {
    const end = element.places.findIndex(place => place.frame === frame);
    const tangent = element.axes?.[end];
    if (tangent) return rest.direction(frame, end === 0 ? tangent : times(-1, tangent));
  }
  return [0, 0, 0];
}

/** The middle of all places of a frame and its centre of mass. */
function middleOfFrame(scene: Scene, rest: Pose, frame: number): Vector | undefined {
  const body = scene.frames[frame];
  if (!body) return undefined;
  const points = scene.elements
    .flatMap(element => element.places)
    .filter(place => place.frame === frame)
    .map(place => rest.place(place));
  points.push(rest.place({ frame, at: body.centre ?? [0, 0, 0] }));
  return times(1 / points.length, points.reduce(add, [0, 0, 0]));
}

/** Supports stand upright: above or below what they hold, and beside it only where it lies level. */
function uprightTip(sheet: Sheet, support: Support): Pixel {
  const [x, y] = sheet.camera.toScreen(support.towards);
  if (support.kind === 'wall') {
    const length = Math.hypot(x, y);
    return length > 1e-6 ? [x / length, y / length] : [0, -1];
  }
  return y > 0.3 * Math.max(Math.abs(x), 1e-9) ? [0, 1] : [0, -1];
}

export function addSupport(sheet: Sheet, support: Support): void {
  const { pen, colours } = sheet;
  const stroke = { colour: colours['ink-soft'], width: 1.4 };
  const height = Math.max(11, 2.1 * sheet.thickness);
  sheet.add(layers.beneath, support.at, () => {
    const tip = sheet.pixel(support.at);
    if (support.kind === 'rail') return drawRail(sheet, support);
    const up = uprightTip(sheet, support);
    if (support.kind === 'support') drawSupport(pen, tip, up, height, colours.ground, stroke);
    else drawGroundLine(pen, tip, up, 1.3 * height, 0.45 * height, stroke);
  });
}

const halfOfARail = 0.16; // of the picture

function drawRail(sheet: Sheet, support: Support): void {
  const half = halfOfARail * sheet.scene.size;
  const from = sheet.pixel(add(support.at, times(-half, support.towards)));
  const to = sheet.pixel(add(support.at, times(half, support.towards)));
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 4) return;
  // The ground is on the lower side of the rail, half a block away from its middle.
  let up: Pixel = [(to[1] - from[1]) / length, (from[0] - to[0]) / length];
  if (up[1] > 1e-9 || (Math.abs(up[1]) <= 1e-9 && up[0] < 0)) up = [-up[0], -up[1]];
  const gap = 0.9 * sheet.thickness;
  const middle: Pixel = [(from[0] + to[0]) / 2 - gap * up[0], (from[1] + to[1]) / 2 - gap * up[1]];
  const stroke = { colour: sheet.colours['ink-soft'], width: 1.4 };
  drawGroundLine(sheet.pen, middle, up, length / 2, 0.7 * sheet.thickness, stroke);
}
