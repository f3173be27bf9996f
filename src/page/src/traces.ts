// The paths of joints and masses over one cycle of a mode.
import type { Motion } from './motion.ts';
import type { Pose } from './pose.ts';
import type { Place, Scene, Vector } from './scene.ts';

const mostTraces = 60;
const steps = 48;

/** Points worth a trace: masses, joints and ends of links that move, each once. */
export function tracedPlaces(scene: Scene, rest: Pose): Place[] {
  const places: Place[] = [];
  const known = new Set<string>();
  const add = (place: Place): void => {
    const key = rest
      .place(place)
      .map(value => Math.round((1e4 * value) / scene.size))
      .join();
    if (place.frame < 0 || known.has(key) || places.length >= mostTraces) return;
    known.add(key);
    places.push(place);
  };
  scene.frames.forEach((frame, index) => {
    if (frame.kind === 'point') add({ frame: index, at: [0, 0, 0] });
  });
  for (const element of scene.elements)
    if (['joint', 'link', 'beam'].includes(element.role)) element.places.forEach(add);
  scene.frames.forEach((frame, index) => {
    if (frame.kind === 'body') add({ frame: index, at: frame.centre ?? [0, 0, 0] });
  });
  return places;
}

export function pathsOver(motion: Motion, amplitude: number, places: Place[], pose: Pose): Vector[][] {
  const paths: Vector[][] = places.map(() => []);
  const { kind } = motion.stored;
  const angles = kind === 'oscillating' ? 2 * Math.PI : Math.PI;
  for (let step = 0; step <= steps; step++) {
    const angle = (angles * step) / steps;
    const b = kind === 'oscillating' ? amplitude * Math.sin(angle) : 0;
    // A real root goes to one side only.
    const a = kind === 'real' ? (amplitude * step) / steps : amplitude * Math.cos(angle);
    motion.at(a, b, pose);
    places.forEach((place, index) => paths[index]!.push(pose.place(place)));
  }
  return paths;
}
