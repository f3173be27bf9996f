// Where every frame is, and how it is turned, at one instant.
import { matrixOfQuaternion, turned } from './rotation.ts';
import type { OtherEquilibrium } from './data.ts';
import { unpack } from './packed.ts';
import type { Frame, Place, Quaternion, Scene, Vector } from './scene.ts';

export class Pose {
  readonly positions: Float64Array; // three a frame
  readonly rotations: Float64Array; // nine a frame

  constructor(readonly frames: number) {
    this.positions = new Float64Array(3 * frames);
    this.rotations = new Float64Array(9 * frames);
  }

  setFrom(other: Pose): void {
    this.positions.set(other.positions);
    this.rotations.set(other.rotations);
  }

  place({ frame, at }: Place): Vector {
    if (frame < 0) return at;
    const [x, y, z] = turned(this.rotations, 9 * frame, at);
    const start = 3 * frame;
    return [this.positions[start]! + x, this.positions[start + 1]! + y, this.positions[start + 2]! + z];
  }

  /** A direction in the axes of a frame, in those of the ground. */
  direction(frame: number, vector: Vector): Vector {
    return frame < 0 ? vector : turned(this.rotations, 9 * frame, vector);
  }
}

const unturned: Quaternion = [1, 0, 0, 0];

export function poseAtRest(frames: Frame[]): Pose {
  const pose = new Pose(frames.length);
  frames.forEach((frame, index) => {
    pose.positions.set(frame.position, 3 * index);
    pose.rotations.set(matrixOfQuaternion(frame.rotation ?? unturned), 9 * index);
  });
  return pose;
}

/** The poses of other equilibria, by name. */
export async function posesOfEquilibria(others: OtherEquilibrium[], { frames, dimension }: Scene): Promise<Map<string, Pose>> {
  const poses = new Map<string, Pose>();
  for (const other of others)
    if (other.pose) poses.set(other.name, poseFromNumbers(await unpack(other.pose), 0, frames.length, dimension));
  return poses;
}

/** The pose in one frame of a motion in time: x, y, angle (plane) or x, y, z and quaternion (space) for each frame. */
export function poseFromNumbers(numbers: Float64Array, start: number, frames: number, dimension: 2 | 3): Pose {
  const pose = new Pose(frames);
  const width = dimension === 2 ? 3 : 7;
  for (let frame = 0; frame < frames; frame++) {
    const entry = (offset: number): number => numbers[start + width * frame + offset]!;
    const flat = dimension === 2;
    const half = entry(2) / 2;
    const turn: Quaternion = flat ? [Math.cos(half), 0, 0, Math.sin(half)] : [entry(3), entry(4), entry(5), entry(6)];
    pose.positions.set([entry(0), entry(1), flat ? 0 : entry(2)], 3 * frame);
    pose.rotations.set(matrixOfQuaternion(turn), 9 * frame);
  }
  return pose;
}
