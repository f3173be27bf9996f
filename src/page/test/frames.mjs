// How many pictures a second does the page show, and how long does it take to open?  node test/frames.mjs [LINKS:DIMENSION…]
// Chains with smooth made-up motions of degree 4 in ten modes: what is drawn costs what a real one costs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { chainScene, pageData, pageOf } from './fixtures.mjs';

const modes = 10;
const degree = 4;
const reach = 10; // m
const seconds = 3;
const powers = [];
for (let sum = 1; sum <= degree; sum++) for (let first = sum; first >= 0; first--) powers.push([first, sum - first]);

function smoothMotion(mode, links, components) {
  const values = new Int16Array(powers.length * components * links);
  const steps = new Int16Array(values.length);
  for (let block = 0; block < powers.length * components; block++)
    for (let link = 0; link < links; link++)
      values[block * links + link] = Math.round(30000 * Math.sin((mode * Math.PI * link) / links + block));
  values.forEach((value, index) => (steps[index] = index ? value - values[index - 1] : value));
  const scale = powers.flatMap(([first, second]) =>
    Array.from(
      { length: components },
      (_, component) => (component === 0 ? 0.5 : 0.01) / 3e4 / (first + second === 1 ? 1 : 20),
    ),
  );
  const gzip = gzipSync(Buffer.from(steps.buffer)).toString('base64');
  return {
    mode,
    s: [-0.01, 3 * mode],
    kind: 'oscillating',
    amplitude: 0.5,
    degree,
    powers,
    error: 1e-4,
    gap: 1e-4,
    values: { type: 'int16', count: values.length, step: 1, scale, gzip },
  };
}

function chainPage(links, dimension) {
  const flat = dimension === 2;
  const length = reach / links;
  const point = (x, y) => (flat ? [x, y, 0] : [x, 0, y]);
  const numbers = Array.from({ length: links }, (_, link) => link);
  const scene = {
    ...chainScene(1, dimension),
    size: reach,
    box: [point(0, -reach), point(0, 0)],
    frames: numbers.map(link => ({
      name: `link[${link}]`,
      kind: 'body',
      position: point(0, -length * (link + 0.5)),
      mass: 1,
    })),
    primitives: numbers.map(link => ({
      kind: 'capsule',
      name: `link[${link}]`,
      frame: link,
      a: point(0, length / 2),
      b: point(0, -length / 2),
      radius: 0.01,
    })),
    elements: numbers.map(link => ({
      kind: 'revolute',
      role: 'joint',
      name: `hinge[${link}]`,
      holds: 'point',
      places: [
        link ? { frame: link - 1, at: point(0, -length / 2) } : { frame: -1, at: [0, 0, 0] },
        { frame: link, at: point(0, length / 2) },
      ],
    })),
    motions: Array.from({ length: modes }, (_, mode) => smoothMotion(mode + 1, links, flat ? 3 : 6)),
  };
  const data = pageData({ gzip: gzipSync(JSON.stringify(scene)).toString('base64') });
  return pageOf(data);
}

async function measure(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const started = Date.now();
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-ready=yes]', { timeout: 60000 });
  const opened = (Date.now() - started) / 1000;
  const pictures = await page.evaluate(
    limit =>
      new Promise(resolve => {
        const start = performance.now();
        let count = 0;
        const next = () => (++count, performance.now() - start < limit ? requestAnimationFrame(next) : resolve(count));
        requestAnimationFrame(next);
      }),
    1000 * seconds,
  );
  await page.close();
  return { opened, rate: pictures / seconds };
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['200:3', '800:3', '1200:2', '10000:2', '100000:2'];
const folder = mkdtempSync(join(tmpdir(), 'stillpoint-frames-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const word of wanted) {
  const [links, dimension] = word.split(':').map(Number);
  const file = join(folder, 'chain.html');
  const html = chainPage(links, dimension);
  writeFileSync(file, html);
  const { opened, rate } = await measure(browser, file);
  console.log(
    `${links} links in ${dimension} dimensions: ${Math.round(html.length / 1000)} kB, opens in ${opened.toFixed(1)} s, ${rate.toFixed(0)} pictures/s`,
  );
}
await browser.close();
rmSync(folder, { recursive: true });
