// How far joints are open and links are stretched in a pose, relative to the picture: what a reader sees must be closed.
import type { Pose } from './pose.ts';
import { cross, distance, dot, size, subtract, unit } from './rotation.ts';
import type { Scene, SceneElement } from './scene.ts';

export function largestGap(scene: Scene, pose: Pose): number {
  let largest = 0;
  for (const element of scene.elements) largest = Math.max(largest, gapOf(element, pose));
  return largest / scene.size;
}

export function gapOf(element: SceneElement, pose: Pose): number {
  const [first, second] = element.places;
  if (!first || !second) return 0;
  const from = pose.place(first);
  const to = pose.place(second);
  const between = subtract(to, from);
  const axis = (): [number, number, number] => unit(pose.direction(first.frame, element.axis ?? [0, 0, 1]));
  switch (element.holds) {
    case 'point':
      return distance(from, to);
    case 'distance':
      return element.length === undefined ? 0 : Math.abs(distance(from, to) - element.length);
    case 'line':
      return size(cross(axis(), between));
    case 'plane':
      return Math.abs(dot(axis(), between));
    default:
      return 0;
  }
}
