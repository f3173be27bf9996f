// Thousands of parts are drawn as thin lines: which ends they have is found once, where they are in every picture.
import type { Pose } from '../pose.ts';
import type { Place, Primitive, Scene, Vector } from '../scene.ts';
import type { Camera } from './camera.ts';

const rolesAsLines = new Set(['link', 'spring', 'damper', 'actuator', 'beam']);

export class Hairlines {
  private readonly frames: Int32Array; // of each end
  private readonly locals: Float64Array; // three an end
  readonly ends: Float32Array; // pixels, two an end

  constructor(scene: Scene) {
    const places = placesOfLines(scene);
    this.frames = Int32Array.from(places, place => place.frame);
    this.locals = Float64Array.from(places.flatMap(place => place.at));
    this.ends = new Float32Array(2 * places.length);
  }

  /** The ends on the screen; written out, because it runs for every end in every picture. */
  place(pose: Pose, camera: Camera): Float32Array {
    const { frames, locals, ends } = this;
    const { positions, rotations } = pose;
    const [right, up] = camera.screenAxes;
    const [originX, originY] = camera.toPixel([0, 0, 0]);
    const scale = camera.scale;
    for (let end = 0; end < frames.length; end++) {
      const frame = frames[end]!;
      let [x, y, z] = [locals[3 * end]!, locals[3 * end + 1]!, locals[3 * end + 2]!];
      if (frame >= 0) {
        const turn = 9 * frame;
        const [u, v, w] = [x, y, z];
        x = positions[3 * frame]! + rotations[turn]! * u + rotations[turn + 1]! * v + rotations[turn + 2]! * w;
        y = positions[3 * frame + 1]! + rotations[turn + 3]! * u + rotations[turn + 4]! * v + rotations[turn + 5]! * w;
        z = positions[3 * frame + 2]! + rotations[turn + 6]! * u + rotations[turn + 7]! * v + rotations[turn + 8]! * w;
      }
      ends[2 * end] = originX + scale * (x * right[0] + y * right[1] + z * right[2]);
      ends[2 * end + 1] = originY - scale * (x * up[0] + y * up[1] + z * up[2]);
    }
    return ends;
  }
}

function placesOfLines(scene: Scene): Place[] {
  const places: Place[] = [];
  for (const shape of scene.primitives) places.push(...endsOfPrimitive(shape));
  for (const element of scene.elements) {
    if (!rolesAsLines.has(element.role)) continue;
    const pairs = element.lines ?? element.places.slice(1).map((_, index): [number, number] => [index, index + 1]);
    for (const [from, to] of pairs) places.push(element.places[from]!, element.places[to]!);
  }
  return places;
}

function endsOfPrimitive(shape: Primitive): Place[] {
  const { frame } = shape;
  const pairs = (points: Vector[], closed: boolean): Place[] => {
    const ends: Place[] = [];
    const count = closed ? points.length : points.length - 1;
    for (let index = 0; index < count; index++)
      ends.push({ frame, at: points[index]! }, { frame, at: points[(index + 1) % points.length]! });
    return ends;
  };
  switch (shape.kind) {
    case 'capsule':
    case 'cylinder':
      return pairs([shape.a, shape.b], false);
    case 'hull':
      return pairs(shape.points, true);
    case 'polyline':
      return pairs(shape.points, false);
    case 'mesh':
      return shape.faces.flatMap(face =>
        pairs(
          face.map(corner => shape.points[corner]!),
          true,
        ),
      );
    default:
      return cross(shape.centre, frame, 'half' in shape ? Math.max(...shape.half) : shape.radius);
  }
}

function cross(centre: Vector, frame: number, half: number): Place[] {
  const [x, y, z] = centre;
  const points: Vector[] = [
    [x - half, y, z],
    [x + half, y, z],
    [x, y - half, z],
    [x, y + half, z],
  ];
  return points.map(at => ({ frame, at }));
}
