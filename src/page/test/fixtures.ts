// The fixtures are a program of their own, which the browser test uses too; here they have types.
import type { PackedArray, PageData } from '../src/data.ts';
import type { Scene } from '../src/scene.ts';

interface Fixtures {
  chainScene(links: number, dimension: 2 | 3): Scene;
  pageData(scene: Scene): PageData;
  pageOf(data: PageData): string;
  pack(values: number[], blocks: number, step?: number): PackedArray;
}

declare const FIXTURES: string;

export const fixtures = async (): Promise<Fixtures> => (await import(FIXTURES)) as Fixtures;
