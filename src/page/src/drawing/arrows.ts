// Forces and torques as arrows. The longest has a length that fits the picture, the others are in proportion.
import { add, size, subtract, times, unit } from '../rotation.ts';
import type { Scene, SceneElement, Vector } from '../scene.ts';
import { circleAround } from './connectors.ts';
import { layers, type Sheet } from './sheet.ts';
import { drawArrow, drawTurningArrow } from './symbols.ts';

export const longest = 0.2; // of the picture
const shortest = 0.05;

/** Metres of arrow per newton: one for what acts from outside, one for the forces inside. */
export interface ArrowScale {
  applied: number;
  inner: number;
}

export function arrowScale(scene: Scene): ArrowScale {
  let applied = 0;
  let inner = 0;
  for (const element of scene.elements) {
    if (element.role === 'force') applied = Math.max(applied, size(element.vector ?? [0, 0, 0]));
    inner = Math.max(inner, Math.abs(element.force ?? 0), size(element.reaction ?? [0, 0, 0]));
  }
  const metres = longest * scene.size;
  return { applied: applied > 0 ? metres / applied : 0, inner: inner > 0 ? metres / inner : 0 };
}

export function addForce(sheet: Sheet, element: SceneElement, scale: ArrowScale): void {
  const place = element.places[0];
  if (!place || !element.vector || scale.applied === 0) return;
  const vector = element.follows ? sheet.pose.direction(place.frame, element.vector) : element.vector;
  const length = size(vector) * scale.applied;
  if (length === 0) return;
  const along = times(Math.max(length, shortest * sheet.scene.size), unit(vector));
  const at = sheet.place(place);
  // The arrow ends where the force acts: it pushes there.
  addArrow(sheet, subtract(at, along), at);
}

function addArrow(sheet: Sheet, from: Vector, to: Vector): void {
  sheet.add(layers.arrows, to, () => {
    const [start, end] = [sheet.pixel(from), sheet.pixel(to)];
    if (Math.hypot(end[0] - start[0], end[1] - start[1]) > 3) drawArrow(sheet.pen, start, end, sheet.colours.force);
  });
}

/** Springs and links pull or push at both their ends; joints show what they carry. */
export function addInnerForce(sheet: Sheet, element: SceneElement, scale: ArrowScale): void {
  const [first, second] = element.places;
  if (!first || scale.inner === 0) return;
  const least = 0.02 * sheet.scene.size;
  if (element.reaction) {
    const along = times(scale.inner, element.reaction);
    if (size(along) > least) addArrow(sheet, sheet.place(first), add(sheet.place(first), along));
  } else if (element.force !== undefined && second) {
    const ends = [sheet.place(first), sheet.place(second)] as const;
    const pull = times(scale.inner * element.force, unit(subtract(ends[1], ends[0])));
    if (size(pull) < least) return;
    addArrow(sheet, ends[0], add(ends[0], pull));
    addArrow(sheet, ends[1], subtract(ends[1], pull));
  }
}

export function addTorque(sheet: Sheet, element: SceneElement): void {
  const place = element.places[0];
  if (!place) return;
  const vector = element.vector ?? [0, 0, 1];
  const axis = element.follows ? sheet.pose.direction(place.frame, vector) : vector;
  if (size(axis) === 0) return;
  const at = sheet.place(place);
  sheet.add(layers.arrows, at, () => {
    const radius = 2.4 * sheet.thickness;
    if (!sheet.camera.inSpace)
      return drawTurningArrow(sheet.pen, sheet.pixel(at), radius, axis[2] > 0, sheet.colours.force);
    const circle = circleAround(at, axis, radius / sheet.camera.scale, 0, 1.5 * Math.PI).map(point =>
      sheet.pixel(point),
    );
    sheet.pen.line(circle.slice(0, -2), { colour: sheet.colours.force, width: 2 });
    drawArrow(sheet.pen, circle[20]!, circle[24]!, sheet.colours.force);
  });
}

/** Gravity, in a corner of the picture. */
export function drawGravity(sheet: Sheet): void {
  const { gravity } = sheet.scene;
  if (size(gravity) === 0) return;
  const [x, y] = sheet.camera.toScreen(unit(gravity));
  if (Math.hypot(x, y) < 0.2) return;
  const middle = [sheet.camera.width - 30, 38] as const;
  const half = 20;
  const colour = sheet.colours['ink-soft'];
  drawArrow(
    sheet.pen,
    [middle[0] - half * x, middle[1] - half * y],
    [middle[0] + half * x, middle[1] + half * y],
    colour,
  );
  sheet.pen.text('g', [middle[0] + 9 * Math.abs(y) + 1, middle[1] + 4 - 12 * Math.abs(x)], colour);
}
