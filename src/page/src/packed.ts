// Long arrays come as base64 of gzip of numbers, mostly as differences of neighbours, which are small and compress well.
import type { PackedArray } from './data.ts';

type Numbers = Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;

const constructors = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};

export async function unpack(array: PackedArray | number[]): Promise<Float64Array> {
  if (Array.isArray(array)) return Float64Array.from(array);
  const bytes = await inflate(bytesOf(array.gzip));
  const numbers: Numbers = new constructors[array.type](bytes);
  if (numbers.length !== array.count) {
    throw new Error(`an array of ${array.count} numbers holds ${numbers.length}; the file has been damaged`);
  }
  // Adding within the integer type undoes differences that went around its ends.
  const step = array.step ?? 0;
  if (step > 0) for (let index = step; index < numbers.length; index++) numbers[index]! += numbers[index - step]!;
  return scaled(numbers, array.scale ?? 1);
}

function scaled(numbers: Numbers, scale: number | number[]): Float64Array {
  const values = Float64Array.from(numbers);
  const factors = typeof scale === 'number' ? [scale] : scale;
  const block = values.length / factors.length;
  for (let index = 0; index < values.length; index++) values[index]! *= factors[Math.floor(index / block)]!;
  return values;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < characters.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** A JSON object that comes as it is, or as base64 of gzip of its text. */
export async function unpackObject<Kind extends object>(stored: Kind | { gzip: string }): Promise<Kind> {
  if (!('gzip' in stored) || typeof stored.gzip !== 'string') return stored as Kind;
  const text = new TextDecoder().decode(await inflate(bytesOf(stored.gzip)));
  return JSON.parse(text) as Kind;
}
