// The eigenvalues of all methods, as marks of the complex plane: both of each pair, with what there is to say of them.
import { upperHalf } from './choice.ts';
import type { Complex, MethodName, Mode, ModeClass, PageData } from './data.ts';
import { complex, digits } from './numbers.ts';

export interface Root {
  method: MethodName;
  real: number;
  imaginary: number;
  class: ModeClass;
  error: number;
  /** Index into the table of modes, −1 where it is none of them. */
  mode: number;
  words: string;
}

export const methodNames: MethodName[] = ['mcs', 'rcs', 'ucs'];

export function rootsOf(data: PageData, tableModes: Mode[]): Root[] {
  return methodNames.flatMap(method => rootsOfMethod(data, method, tableModes));
}

function rootsOfMethod(data: PageData, method: MethodName, tableModes: Mode[]): Root[] {
  const roots: Root[] = [];
  for (const mode of data.methods[method]?.modes ?? []) {
    const [real, imaginary] = mode.s;
    if (real === null || imaginary === null || !upperHalf(mode)) continue;
    const index = mode.class === 'spurious' ? -1 : nearestMode(tableModes, mode.corrected ?? mode.s);
    const common = { method, real, class: mode.class, error: mode.error ?? 0, mode: index };
    const words = wordsOf(method, mode, index);
    roots.push({ ...common, imaginary, words });
    if (imaginary > 0) roots.push({ ...common, imaginary: -imaginary, words });
  }
  return roots;
}

export function nearestMode(modes: Mode[], [real, imaginary]: Complex): number {
  let nearest = -1;
  let least = Infinity;
  modes.forEach((mode, index) => {
    const apart = Math.hypot((mode.s[0] ?? NaN) - (real ?? NaN), (mode.s[1] ?? NaN) - Math.abs(imaginary ?? NaN));
    if (apart < least) [nearest, least] = [index, apart];
  });
  return nearest;
}

function wordsOf(method: MethodName, mode: Mode, index: number): string {
  const what = mode.class === 'true' ? (index >= 0 ? `mode ${index + 1}` : 'true') : mode.class;
  const lines = [`${method.toUpperCase()}, ${what}`, `s = ${complex(mode.s[0], mode.s[1], 10)}`];
  if (mode.error !== null && mode.error !== undefined) lines.push(`known to ± ${digits(mode.error, 2)}`);
  if (mode.why) lines.push(mode.why);
  return lines.join('\n');
}
