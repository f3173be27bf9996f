// Names beside what they name, where there is room for them: a name that would lie on another is left out.
import type { Pose } from '../pose.ts';
import { add, times } from '../rotation.ts';
import type { Scene, Vector } from '../scene.ts';
import type { Sheet } from './sheet.ts';

interface Label {
  text: string;
  at: Vector;
  soft: boolean;
}

const widthOfALetter = 6.8;
const height = 15;

export function drawNames(sheet: Sheet): void {
  const taken: [left: number, top: number, right: number, bottom: number][] = [];
  for (const label of labelsOf(sheet.scene, sheet.pose)) {
    const [x, y] = sheet.pixel(label.at);
    const width = widthOfALetter * label.text.length;
    const gap = 0.9 * sheet.thickness + 3;
    for (const [left, baseline] of [
      [x + gap, y - gap],
      [x - gap - width, y - gap],
      [x + gap, y + gap + 9],
      [x - gap - width, y + gap + 9],
    ] as const) {
      const box: [number, number, number, number] = [left, baseline - height + 3, left + width, baseline + 3];
      const inside = box[0] > 2 && box[1] > 2 && box[2] < sheet.camera.width - 2 && box[3] < sheet.camera.height - 2;
      const free = taken.every(
        other => box[2] < other[0] || other[2] < box[0] || box[3] < other[1] || other[3] < box[1],
      );
      if (!inside || !free) continue;
      taken.push(box);
      const colour = label.soft ? sheet.colours['ink-soft'] : sheet.colours.ink;
      sheet.pen.text(label.text, [left, baseline], colour, 'left', sheet.colours.paper);
      break;
    }
  }
}

function labelsOf(scene: Scene, pose: Pose): Label[] {
  const labels: Label[] = [];
  scene.frames.forEach((frame, index) => {
    if (frame.kind === 'node') return;
    labels.push({ text: frame.name, at: pose.place({ frame: index, at: frame.centre ?? [0, 0, 0] }), soft: false });
  });
  const named = new Set(['link', 'spring', 'damper', 'actuator', 'beam', 'force', 'torque', 'torsion', 'measure']);
  for (const element of scene.elements) {
    if (!named.has(element.role) || element.places.length === 0) continue;
    const points = element.places.map(place => pose.place(place));
    labels.push({ text: element.name, at: times(1 / points.length, points.reduce(add, [0, 0, 0])), soft: true });
  }
  return labels;
}
