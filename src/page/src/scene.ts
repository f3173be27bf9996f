// The document "stillpoint.scene/1": what the model looks like at an equilibrium, and how it moves in its modes.
import type { PackedArray } from './data.ts';

export type Vector = [x: number, y: number, z: number];
export type Quaternion = [w: number, x: number, y: number, z: number];

export interface Scene {
  schema: 'stillpoint.scene/1';
  model: { name: string; description?: string };
  dimension: 2 | 3;
  /** The length that "relative to the picture" refers to (m). */
  size: number;
  box: [Vector, Vector];
  gravity: Vector;
  frames: Frame[];
  primitives: Primitive[];
  elements: SceneElement[];
  motions: StoredMotion[];
  omitted?: { mode: number; why: string }[];
  schematic?: boolean;
}

/** What moves. Number −1 is the ground. */
export interface Frame {
  name: string;
  kind: 'body' | 'point' | 'node' | 'scalar';
  position: Vector;
  rotation?: Quaternion;
  mass?: number;
  centre?: Vector;
  inertia?: { half: Vector; rotation?: Quaternion };
}

interface Shape<Kind extends string> {
  kind: Kind;
  name: string;
  frame: number;
  color?: string;
  from?: 'file';
}

export type Capsule = Shape<'capsule' | 'cylinder'> & { a: Vector; b: Vector; radius: number };
export type Hull = Shape<'hull'> & { points: Vector[]; faces?: number[][]; radius: number };
export type Ellipsoid = Shape<'ellipsoid'> & { centre: Vector; half: Vector; rotation?: Quaternion };
export type Sphere = Shape<'sphere'> & { centre: Vector; radius: number };
export type Box = Shape<'box'> & { centre: Vector; half: Vector; rotation?: Quaternion };
export type Polyline = Shape<'polyline'> & { points: Vector[]; radius: number };
export type Mesh = Shape<'mesh'> & { points: Vector[]; faces: number[][] };
export type Primitive = Capsule | Hull | Ellipsoid | Sphere | Box | Polyline | Mesh;

export interface Place {
  frame: number;
  at: Vector;
}

export type Role =
  | 'joint'
  | 'link'
  | 'spring'
  | 'damper'
  | 'actuator'
  | 'torsion'
  | 'force'
  | 'torque'
  | 'beam'
  | 'mass'
  | 'measure'
  | 'other';

export interface SceneElement {
  kind: string;
  role: Role;
  name: string;
  places: Place[];
  holds?: 'point' | 'line' | 'plane' | 'distance';
  axis?: Vector;
  axes?: Vector[];
  lines?: [number, number][];
  length?: number;
  mass?: number;
  stiffness?: number;
  damping?: number;
  free_length?: number;
  force?: number;
  vector?: Vector;
  follows?: boolean;
  quantity?: string;
  /** Joints: force on the second place by the first, at rest (N, axes of the ground). */
  reaction?: Vector;
}

export interface StoredMotion {
  mode?: number;
  method?: string;
  s?: [number, number];
  kind: 'oscillating' | 'real' | 'neutral' | 'tangent';
  branch?: string;
  /** By how much the point that moves most is displaced, to first order (m). */
  amplitude: number;
  degree: number;
  powers: [number, number][];
  error: number;
  gap: number;
  values: PackedArray;
  note?: string;
}
