// Pages of all cases, with a picture of each:  node gallery.mjs TOOL CASES FOLDER [CASE…]
// or pictures of whole first screens:         node gallery.mjs --screens TOOL CASES FOLDER CASE…
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** What a picture of a case shows best: other parameters than those of the model file, another mode than the first. */
const special = {
  four_bar: { arguments: ['--set', 'N=5'] },
  flexible_double_pendulum: { hash: '#mode=2' },
  spatial_double_pendulum: { hash: '#mode=3' },
};

function makePage(tool, cases, folder, name) {
  const file = join(folder, `${name}.html`);
  execFileSync(tool, ['report', join(cases, name), ...(special[name]?.arguments ?? []), '-o', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return file;
}

async function openPage(browser, file, options, hash = '') {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 1040 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector('html[data-ready=yes]');
  await page.waitForTimeout(150);
  return { page, context };
}

async function picture(browser, file, name, folder) {
  const { page, context } = await openPage(
    browser,
    file,
    { viewport: { width: 900, height: 800 } },
    special[name]?.hash,
  );
  const drawn =
    (await page.$('#mechanism')) ??
    (await page.$('#at-rest:not([hidden]) canvas')) ??
    (await page.$('#spectrum .chart'));
  if (drawn) await drawn.screenshot({ path: join(folder, `${name}.png`) });
  const entry = {
    name,
    pictured: Boolean(drawn),
    verdict: await page.textContent('#verdict'),
    words: await page.textContent('#reason p').catch(() => ''),
    tone: (await page.getAttribute('#verdict', 'class')).split(' ').at(-1),
    bytes: statSync(file).size,
  };
  await context.close();
  return entry;
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const card = entry => `<li><a href="${entry.name}.html">
${entry.pictured ? `<img src="${entry.name}.png" alt="" loading="lazy">` : ''}
<b>${escaped(entry.name)}</b></a> <span class="${entry.tone}">${escaped(entry.verdict)}</span>
<p>${escaped(entry.words)}</p><small>${Math.round(entry.bytes / 1000)} kB</small></li>`;

const gallery = entries => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>stillpoint: all cases</title>
<style>
body { margin: 0 auto; max-width: 1280px; padding: 22px; background: #f4f5f7; color: #1b2330; font: 15px/1.5 system-ui, sans-serif; }
ul { list-style: none; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); }
li { background: #fff; border: 1px solid #dde2e9; border-radius: 12px; padding: 14px; overflow-wrap: anywhere; }
img { width: 100%; height: 190px; object-fit: contain; display: block; }
a { color: #0b62a8; text-decoration: none; } p { margin: 4px 0; color: #525e6f; font-size: 13.5px; } small { color: #525e6f; }
span { font-size: 13px; font-weight: 600; padding: 1px 9px; border-radius: 99px; }
.good { color: #0a6b3d; background: #e2f4ea; } .bad { color: #a3161f; background: #fbe7e8; } .open { color: #7a5200; background: #fdf1d8; }
</style></head><body><h1>All cases</h1><ul>
${entries.map(card).join('\n')}
</ul></body></html>
`;

async function main() {
  const words = process.argv.slice(2);
  const screens = words[0] === '--screens' && words.shift();
  const [tool, cases, folder] = words.splice(0, 3).map(word => resolve(word));
  if (!folder) throw new Error('usage: node gallery.mjs [--screens] TOOL CASES FOLDER [CASE…]');
  mkdirSync(folder, { recursive: true });
  const names = words.length
    ? words
    : readdirSync(cases)
        .filter(name => existsSync(join(cases, name, 'model.yaml')))
        .sort();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
  const entries = [];
  for (const name of names) {
    const file = makePage(tool, cases, folder, name);
    if (screens) {
      const { page, context } = await openPage(browser, file, {}, special[name]?.hash);
      await page.screenshot({ path: join(folder, `report_${name}.png`) });
      await context.close();
    } else entries.push(await picture(browser, file, name, folder));
    console.log(file);
  }
  await browser.close();
  if (!screens) writeFileSync(join(folder, 'index.html'), gallery(entries));
}

await main();
