// Bundles the unit tests and runs them with node's own runner. The bundles are .mjs: node 18 would take .js for CommonJS.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '..', 'build', 'unit');
const tests = readdirSync(here).filter(name => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map(name => join(here, name)),
  outdir: target,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
  external: ['./fixtures.mjs'],
  define: { FIXTURES: JSON.stringify(join(here, 'fixtures.mjs')) },
  logLevel: 'warning',
});
const files = tests.map(name => join(target, name.replace(/\.ts$/, '.mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);
