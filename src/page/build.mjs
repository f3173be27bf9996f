// Bundles the page into the three files that the tool is built with. Their first line names the sources they were made from.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = join(here, 'src');
const target = process.argv[2] ?? join(here, '..', 'report', 'page');

/** Names and contents of all sources, in the order of their names. */
function hashOfSources() {
  const hash = createHash('sha256');
  const names = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(sources.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
  for (const name of names)
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(sources, name)))
      .update('\0');
  return hash.digest('hex');
}

async function bundle(entry, options) {
  const result = await build({
    entryPoints: [join(sources, entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    ...options,
  });
  return result.outputFiles[0].text.trimEnd();
}

const origin = `made by src/page/build.mjs from sources with SHA-256 ${hashOfSources()}`;
const script = await bundle('main.ts', { format: 'iife', target: 'es2022' });
if (/<\/script|<!--/i.test(script)) throw new Error('the script holds text that would end it within HTML');
const style = await bundle('style.css', { target: ['chrome110', 'firefox115', 'safari16.4'] });
const page = readFileSync(join(sources, 'page.html'), 'utf8').trimEnd();

mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'report.js'), `// ${origin}\n${script}\n`);
writeFileSync(join(target, 'report.css'), `/* ${origin} */\n${style}\n`);
// The first line of an HTML file says what it is; the comment comes after it.
writeFileSync(join(target, 'page.html'), page.replace('<html', `<!-- ${origin} -->\n<html`) + '\n');
console.log(`script ${script.length}, style ${style.length}, page ${page.length} characters in ${target}`);
