// What `stillpoint report` puts into the page beside the scene: one JSON object, schema "stillpoint.page/1", in
// <script type="application/json" id="data">, every "<" written as \u003c. Keys are those of the tool's own JSON
// (`compare --json`, `response --json`, `motion --json`, `sweep --json`) wherever there is one. Everything marked `?`
// may be missing; the page then leaves the section out. Numbers that are not finite are null.
import type { Scene } from './scene.ts';

export type Complex = [re: number | null, im: number | null];
export type MethodName = 'mcs' | 'rcs' | 'ucs';
export type ModeClass = 'true' | 'spurious' | 'undecided';

/** A long array: base64 of gzip of little-endian numbers. With `step` = k, what is stored are differences: entry i is
 *  value[i] − value[i − k] (value[i] itself for i < k), in integer types modulo their size. `scale` multiplies the
 *  values after that: one number for all, or one per block of count / scale.length. */
export interface PackedArray {
  type: 'int8' | 'int16' | 'int32' | 'float32' | 'float64';
  count: number;
  step?: number;
  scale?: number | number[];
  gzip: string;
}

export interface PageData {
  schema: 'stillpoint.page/1';
  model: ModelSummary;
  equilibrium?: EquilibriumSummary; // missing for folders of matrices
  verdict: string; // "asymptotically stable", "stable (conservative)", "unstable", "oscillatory", "neutral", …
  verdict_basis: string;
  verdict_reason: string;
  verdict_words?: string[]; // what `explain MODEL verdict` says, a paragraph each
  unstable_roots?: number | null;
  largest_real_part?: number | null;
  main: MethodName; // whose modes are the table's
  methods: Partial<Record<MethodName, MethodResult>>;
  differences?: Partial<Record<MethodName, number | null>>; // largest relative difference from the main method
  advice: string[];
  warnings: string[];
  left_out?: string[]; // sentences: what this page leaves out because the model is too large
  scene?: Scene | { gzip: string }; // stillpoint.scene/1, or base64 of gzip of its text; missing for matrices
  branches?: Branch[]; // of a singular configuration
  equilibria?: OtherEquilibrium[]; // several equilibria, if looked for
  redundancy?: Redundancy;
  sparsity?: SparsityPicture[];
  responses?: FrequencyResponse[];
  motion_in_time?: MotionInTime;
  root_locus?: RootLocus;
  provenance: Provenance;
}

export interface ModelSummary {
  name: string;
  description?: string;
  coordinates: number;
  constraints: number;
  dof: number;
  redundant: (string | string[])[]; // names of redundant rows, or groups of rows that depend on each other
  redundant_equations: number;
  singular: boolean;
  freedom?: string; // "regular", …
  controllers?: Controller[]; // whose loops are closed in the modes
  parameters: Record<string, number>;
}

export interface Controller {
  name: string;
  from: string[];
  to: string[];
  states: string[];
}

export interface EquilibriumSummary {
  status: string; // "at rest", "steady turning", …
  message?: string;
  residual: number | null;
  worst_coordinate?: string;
  constraint_residual: number | null;
  worst_constraint?: string;
  conservative?: boolean;
  unstable_directions?: number | null;
  neutral_directions?: number | null;
  iterations?: number;
}

export interface MethodResult {
  computed: boolean;
  message?: string; // why not computed
  modes: Mode[]; // true ones first, as `compare` orders them; at most those asked for (--modes)
  size: number; // order of the eigenvalue problem
  spurious: number; // how many there are in all, also if not listed
  solver?: string;
  count?: ModeCount;
  seconds?: number;
  penalty?: { alpha: [number, number]; largest_gap?: number | null } | null;
}

export interface ModeCount {
  expected: number;
  found: number;
  certified: boolean;
  scope: string;
  at_zero?: number;
}

export interface Mode {
  s: Complex; // one entry per pair: Im s ≥ 0 (the page draws the conjugate, too); null = infinite
  corrected?: Complex; // UCS: with the penalty's error removed
  frequency_hz: number | null;
  damping_ratio: number | null;
  class: ModeClass;
  why?: string; // why spurious or undecided, in words
  residual?: number | null;
  backward_error?: number | null;
  condition?: number | null;
  error?: number | null; // bound of |s − exact|
  multiplicity?: number;
  description?: string; // the mode's sentence
  energy?: Record<string, number>; // potential, by force element: the largest few suffice (≤ 12)
  kinetic_energy?: Record<string, number>; // by body: the largest few suffice (≤ 12)
  motion?: number; // index into scene.motions
  motion_missing?: string; // why there is none, in words
}

export interface Branch {
  name: string; // "branch 1"
  description?: string; // in words
  verdict?: string;
  tangent_motion?: number; // index into scene.motions: along the branch
  modes?: Mode[]; // of this branch, with their own motions
}

export interface OtherEquilibrium {
  name: string;
  verdict: string;
  description?: string; // the reason of the verdict
  energy?: number | null;
  modes?: Mode[];
  pose?: PackedArray | number[]; // of all frames: plane x, y, angle; space x, y, z, qw, qx, qy, qz
}

export interface Redundancy {
  words: string[]; // what `explain MODEL redundancy` says, a paragraph each
  constraints: RedundantConstraint[];
}

export interface RedundantConstraint {
  name: string; // "j[4].tilt_x"
  joint?: string; // name of the joint or rod in the scene, to be highlighted
  loop?: string[]; // names of the joints of the loop it closes, highlighted too
  said_by?: string[]; // constraints that say the same already
  release?: string; // the advice, a sentence
}

export interface SparsityPicture {
  title: string;
  caption?: string;
  svg: string;
} // the tool's own SVG

export interface FrequencyResponse {
  input: string;
  output: string;
  unit?: string; // of output / input
  frequency_hz: number[] | PackedArray;
  real: number[] | PackedArray;
  imaginary: number[] | PackedArray;
}

export interface MotionInTime {
  title?: string;
  command?: string;
  time: number[] | PackedArray; // s, of each frame
  frames: PackedArray; // frame after frame, body after body as the scene stores frames: plane x, y, angle; space x, y, z, qw, qx, qy, qz
  energy?: { kinetic: number[] | PackedArray; potential: number[] | PackedArray };
}

export interface RootLocus {
  parameter: string;
  unit?: string;
  values: number[];
  spectra: Complex[][]; // per value the roots, Im s ≥ 0; tracked: entry k of each belongs to track k (null = lost)
  verdicts?: string[];
}

export interface Provenance {
  command: string;
  version: string;
  date: string; // ISO 8601
  sha256?: string; // of the model file
  machine?: string;
  model_path?: string; // as the user gave it
  model_text?: string; // the file itself
}
