// Rotations as matrices of nine numbers, row by row, in one long array: entry 9 k is the first of rotation k.
import type { Quaternion, Vector } from './scene.ts';

export type Matrix = Float64Array; // of nine

export function matrixOfQuaternion([w, x, y, z]: Quaternion): Matrix {
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  );
}

/** exp of the cross product with (x, y, z): always a rotation (Rodrigues' formula). */
export function matrixOfRotationVector(x: number, y: number, z: number): Matrix {
  const angle = Math.hypot(x, y, z);
  const half = Math.sin(angle / 2);
  const share = angle > 1e-12 ? half / angle : 0.5;
  return matrixOfQuaternion([Math.cos(angle / 2), share * x, share * y, share * z]);
}

/** to[start…] = one · other, where `one` begins at `oneStart` of its array. */
export function multiplyInto(
  to: Float64Array,
  start: number,
  one: Float64Array,
  oneStart: number,
  other: Matrix,
): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let inner = 0; inner < 3; inner++) sum += one[oneStart + 3 * row + inner]! * other[3 * inner + column]!;
      to[start + 3 * row + column] = sum;
    }
  }
}

export function turned(rotations: Float64Array, start: number, [x, y, z]: Vector): Vector {
  return [
    rotations[start]! * x + rotations[start + 1]! * y + rotations[start + 2]! * z,
    rotations[start + 3]! * x + rotations[start + 4]! * y + rotations[start + 5]! * z,
    rotations[start + 6]! * x + rotations[start + 7]! * y + rotations[start + 8]! * z,
  ];
}

export const add = (one: Vector, other: Vector): Vector => [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
export const subtract = (one: Vector, other: Vector): Vector => [
  one[0] - other[0],
  one[1] - other[1],
  one[2] - other[2],
];
export const times = (factor: number, [x, y, z]: Vector): Vector => [factor * x, factor * y, factor * z];
export const dot = (one: Vector, other: Vector): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
export const size = ([x, y, z]: Vector): number => Math.hypot(x, y, z);
export const distance = (one: Vector, other: Vector): number => size(subtract(one, other));

export function unit(vector: Vector): Vector {
  const length = size(vector);
  return length > 0 ? times(1 / length, vector) : vector;
}

export const cross = (one: Vector, other: Vector): Vector => [
  one[1] * other[2] - one[2] * other[1],
  one[2] * other[0] - one[0] * other[2],
  one[0] * other[1] - one[1] * other[0],
];

/** Two directions that make a right-handed system with the given one. */
export function besides(axis: Vector): [Vector, Vector] {
  const along = unit(axis);
  const helper: Vector = Math.abs(along[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const first = unit(cross(along, helper));
  return [first, cross(along, first)];
}
