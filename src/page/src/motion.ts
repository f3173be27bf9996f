// A mode's motion as the tool stores it: displacements of all frames are polynomials in (a, b), the two amplitudes of the
// oscillation, fitted to positions that were projected on the constraints. Amplitude, phase and decay stay free.
import { unpack } from './packed.ts';
import type { Pose } from './pose.ts';
import { matrixOfRotationVector, multiplyInto } from './rotation.ts';
import type { Scene, StoredMotion } from './scene.ts';

export class Motion {
  private readonly components: number;
  private readonly sums: Float64Array;

  private constructor(
    readonly stored: StoredMotion,
    private readonly values: Float64Array,
    private readonly rest: Pose,
    private readonly dimension: 2 | 3,
  ) {
    this.components = dimension === 2 ? 3 : 6;
    this.sums = new Float64Array(this.components * rest.frames);
  }

  static async open(stored: StoredMotion, rest: Pose, dimension: 2 | 3): Promise<Motion> {
    return new Motion(stored, await unpack(stored.values), rest, dimension);
  }

  /** The pose at the amplitudes a and b, a² + b² ≤ 1, is written into `pose`. */
  at(a: number, b: number, pose: Pose): Pose {
    this.sum(a, b);
    pose.setFrom(this.rest);
    if (this.dimension === 2) this.moveInThePlane(pose);
    else this.moveInSpace(pose);
    return pose;
  }

  private sum(a: number, b: number): void {
    const { sums, values } = this;
    const length = sums.length;
    sums.fill(0);
    this.stored.powers.forEach(([first, second], term) => {
      const weight = a ** first * b ** second;
      if (weight === 0) return;
      const start = term * length;
      for (let index = 0; index < length; index++) sums[index]! += weight * values[start + index]!;
    });
  }

  private moveInThePlane(pose: Pose): void {
    const { positions, rotations } = pose;
    const { frames } = pose;
    for (let frame = 0; frame < frames; frame++) {
      positions[3 * frame]! += this.sums[frame]!;
      positions[3 * frame + 1]! += this.sums[frames + frame]!;
      const turn = this.sums[2 * frames + frame]!;
      if (turn === 0) continue;
      const cosine = Math.cos(turn);
      const sine = Math.sin(turn);
      const start = 9 * frame;
      for (const row of [start, start + 3]) {
        const x = rotations[row]!;
        const y = rotations[row + 1]!;
        rotations[row] = x * cosine + y * sine;
        rotations[row + 1] = y * cosine - x * sine;
      }
    }
  }

  private moveInSpace(pose: Pose): void {
    const { sums } = this;
    const { frames } = pose;
    for (let frame = 0; frame < frames; frame++) {
      for (let axis = 0; axis < 3; axis++) pose.positions[3 * frame + axis]! += sums[axis * frames + frame]!;
      const [x, y, z] = [sums[3 * frames + frame]!, sums[4 * frames + frame]!, sums[5 * frames + frame]!];
      if (x === 0 && y === 0 && z === 0) continue;
      multiplyInto(pose.rotations, 9 * frame, this.rest.rotations, 9 * frame, matrixOfRotationVector(x, y, z));
    }
  }
}

/** All motions of a scene are opened once; each takes a few milliseconds even for ten thousand frames. */
export async function openMotions(scene: Scene, rest: Pose, others = new Map<string, Pose>()): Promise<Motion[]> {
  const restOf = (stored: StoredMotion): Pose => others.get(stored.branch ?? '') ?? rest;
  return Promise.all(scene.motions.map(stored => Motion.open(stored, restOf(stored), scene.dimension)));
}
