// Joints: a small circle for a hinge in the plane and for a ball, a pin along the axis in space, a block on its rail.
import { add, times, unit } from '../rotation.ts';
import type { SceneElement, Vector } from '../scene.ts';
import type { Pixel } from './pen.ts';
import { layers, type Sheet } from './sheet.ts';

/** Joints that are drawn as a block on a rail. */
export const blocks = new Set(['prismatic', 'slider', 'point_on_line', 'cylindrical', 'planar', 'point_on_plane']);
const pins = new Set(['revolute', 'cylindrical', 'motor', 'rotor']);
const unseen = new Set(['weld', 'clamp']);

export function addJoint(sheet: Sheet, joint: SceneElement): void {
  const [first, second] = joint.places;
  if (!first || unseen.has(joint.kind)) return;
  const slides = blocks.has(joint.kind);
  const at = sheet.place(slides && second ? second : first);
  const axis = axisOf(sheet, joint);
  if (slides) addBlock(sheet, joint, at, axis);
  else if (sheet.camera.inSpace && pins.has(joint.kind)) addPin(sheet, joint, at, axis);
  else addCircle(sheet, joint, at);
}

function axisOf(sheet: Sheet, joint: SceneElement): Vector {
  const standard: Vector = sheet.camera.inSpace ? [0, 0, 1] : [1, 0, 0];
  return unit(sheet.pose.direction(joint.places[0]?.frame ?? -1, joint.axis ?? standard));
}

function coloursOf(sheet: Sheet, joint: SceneElement, at: Vector): { edge: string; fill: string } {
  const { colours } = sheet;
  if (sheet.isHighlighted(joint.name)) return { edge: colours.highlight, fill: colours.highlight };
  return { edge: sheet.at(at, colours['body-edge']), fill: sheet.at(at, colours.joint) };
}

export function addCircle(sheet: Sheet, joint: SceneElement, at: Vector): void {
  const large = sheet.isHighlighted(joint.name) ? 1.7 : 1;
  sheet.add(layers.joints, at, () => {
    const { edge, fill } = coloursOf(sheet, joint, at);
    const radius = large * Math.max(2.4, 0.45 * sheet.thickness);
    sheet.pen.circle(sheet.pixel(at), radius, fill, { colour: edge, width: 1.6 });
    if (joint.kind === 'universal') drawCross(sheet, sheet.pixel(at), radius, edge);
    if (joint.kind === 'spherical') sheet.pen.circle(sheet.pixel(at), 0.4 * radius, edge);
  });
}

function drawCross(sheet: Sheet, [x, y]: Pixel, radius: number, colour: string): void {
  const reach = 0.7 * radius;
  sheet.pen.line(
    [
      [x - reach, y - reach],
      [x + reach, y + reach],
    ],
    { colour, width: 1.2 },
  );
  sheet.pen.line(
    [
      [x - reach, y + reach],
      [x + reach, y - reach],
    ],
    { colour, width: 1.2 },
  );
}

function addPin(sheet: Sheet, joint: SceneElement, at: Vector, axis: Vector): void {
  const half = (1.25 * sheet.thickness) / sheet.camera.scale;
  sheet.add(layers.joints, at, () => {
    const { edge, fill } = coloursOf(sheet, joint, at);
    const line = [sheet.pixel(add(at, times(-half, axis))), sheet.pixel(add(at, times(half, axis)))];
    const width = Math.max(3, 0.62 * sheet.thickness);
    sheet.pen.line(line, { colour: edge, width: width + 2.6 });
    sheet.pen.line(line, { colour: fill, width });
  });
}

function addBlock(sheet: Sheet, joint: SceneElement, at: Vector, axis: Vector): void {
  const onGround = joint.places[0]!.frame < 0;
  if (!onGround) addSlot(sheet, joint, axis);
  sheet.add(layers.joints, at, () => {
    const { edge, fill } = coloursOf(sheet, joint, at);
    const [x, y] = sheet.camera.toScreen(axis);
    const length = Math.hypot(x, y);
    const along: Pixel = length > 0.2 ? [x / length, y / length] : [1, 0];
    const half: Pixel = [1.35 * sheet.thickness * Math.max(0.5, Math.min(1, length)), 0.85 * sheet.thickness];
    const middle = sheet.pixel(at);
    const corners = [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ].map(([a, b]): Pixel => {
      const [u, v] = [a! * half[0], b! * half[1]];
      return [middle[0] + u * along[0] - v * along[1], middle[1] + u * along[1] + v * along[0]];
    });
    sheet.pen.area(corners, sheet.at(at, sheet.colours.ground), { colour: edge, width: 1.5 });
    sheet.pen.circle(middle, Math.max(2, 0.35 * sheet.thickness), fill, { colour: edge, width: 1.3 });
  });
}

/** A slot in a body that moves: a thin line along it. */
function addSlot(sheet: Sheet, joint: SceneElement, axis: Vector): void {
  const middle = sheet.place(joint.places[0]!);
  const half = 0.1 * sheet.scene.size;
  sheet.add(layers.bodies, middle, () => {
    const line = [sheet.pixel(add(middle, times(-half, axis))), sheet.pixel(add(middle, times(half, axis)))];
    sheet.pen.line(line, { colour: sheet.at(middle, sheet.colours['ink-soft']), width: 1.4 });
  });
}
