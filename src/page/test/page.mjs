// Opens pages in a real browser, from file://, as a reader does: looks, clicks, sorts, filters, prints, uses the keyboard.
// Arguments: the pages. Pages made from the fixtures are looked at, too. --pictures FOLDER saves what is seen.
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { chromium } from 'playwright-core';
import { chainScene, fullPageData, pageData, pageOf } from './fixtures.mjs';

const largestGap = 5e-4; // of the picture: half a pixel in a thousand
const mostPagesOfPaper = 12;
const pagesAtOnce = 3;
const mostPresses = 90; // of the tab key
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const counts = { passed: 0, failed: 0 };

function check(holds, claim, found = '') {
  if (holds) counts.passed++;
  else {
    counts.failed++;
    console.log(`FAILED  ${claim}${found === '' ? '' : `: ${found}`}`);
  }
}

async function open(browser, file, options = {}, hash = '') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', error => problems.push(String(error)));
  page.on(
    'request',
    request => !/^(file|data|blob):/.test(request.url()) && problems.push(`asked for ${request.url()}`),
  );
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector('html[data-ready=yes]', { timeout: 20000 });
  return { page, context, problems };
}

const drawnOn = (page, selector) =>
  page.$eval(selector, canvas => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.clientWidth, canvas.clientHeight];
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0, copy.width, copy.height);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let sum = 0;
    let ink = 0;
    for (let index = 0; index < data.length; index += 4) {
      sum = (sum * 31 + data[index] + 3 * data[index + 1] + 7 * data[index + 2] + data[index + 3]) >>> 0;
      if (data[index + 3] > 0) ink++;
    }
    return { sum, ink: ink / (data.length / 4) };
  });

const chosenMode = page => page.$eval('#modes tr[aria-current]', row => Number(row.dataset.mode)).catch(() => -1);

async function waitUntilItMoves(page) {
  const before = (await drawnOn(page, '#mechanism')).sum;
  for (let turn = 0; turn < 20; turn++) {
    await page.waitForTimeout(100);
    if ((await drawnOn(page, '#mechanism')).sum !== before) return true;
  }
  return false;
}

async function checkFirstScreen(page, name) {
  const title = await page.title();
  const verdict = await page.textContent('#verdict');
  check(/^[✓✕?] \S/.test(verdict), `${name}: the verdict is a sign and words`, verdict);
  check(
    title.includes(': ') && verdict.includes(title.split(': ').at(-1)),
    `${name}: the title holds the verdict`,
    title,
  );
  check((await page.$$('#facts div')).length >= 3, `${name}: numbers that matter`);
  if (await page.isVisible('#at-rest')) {
    const { ink } = await drawnOn(page, '#at-rest canvas');
    check(ink > 0.0005 && ink < 0.5, `${name}: the mechanism is drawn at rest`, ink);
  }
}

async function checkMotion(page, name) {
  check(await waitUntilItMoves(page), `${name}: the mechanism moves`);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(' ');
  const still = (await drawnOn(page, '#mechanism')).sum;
  await page.waitForTimeout(150);
  check((await drawnOn(page, '#mechanism')).sum === still, `${name}: space stops it`);
  await page.keyboard.press(' ');
  check(await waitUntilItMoves(page), `${name}: space starts it again`);
  await page.keyboard.press(' '); // the other checks need no moving picture, which would take their time
}

/** In every mode, over a cycle, at the largest amplitude, recomputed from the poses that are drawn. */
async function checkGaps(page, name) {
  const modes = await page.$$eval('#modes tbody tr', rows => rows.length);
  let largest = 0;
  for (let mode = 0; mode < Math.min(modes, 12); mode++) {
    await page.evaluate(number => (location.hash = `#mode=${number}`), mode + 1);
    await page.waitForTimeout(20);
    largest = Math.max(largest, await page.evaluate(() => Math.max(stillpoint.gapNow(), stillpoint.gapOverACycle())));
  }
  check(largest <= largestGap, `${name}: joints are closed and lengths kept`, largest);
}

async function checkPlane(page, name) {
  const marks = await page.$$('#spectrum .chart .root.true');
  if (marks.length === 0) return;
  await page.locator('#spectrum').scrollIntoViewIfNeeded();
  const wanted = Number(await marks.at(-1).getAttribute('data-mode'));
  await marks.at(-1).dispatchEvent('click');
  check(
    (await chosenMode(page)) === wanted,
    `${name}: a click in the plane chooses the mode`,
    `${await chosenMode(page)} ${wanted}`,
  );
  check(page.url().endsWith(`#mode=${wanted + 1}`), `${name}: the address says which mode it is`, page.url());
  await page.click('#spectrum button[aria-label^="Zoom in until"]');
  await page.click('#spectrum button[aria-label="Show all eigenvalues"]');
  if (await page.isVisible('#spectrum label:has-text("spurious") input')) {
    await page.check('#spectrum label:has-text("spurious") input');
    check((await page.$$('#spectrum .root.spurious')).length > 0, `${name}: spurious eigenvalues are shown on demand`);
    await page.uncheck('#spectrum label:has-text("spurious") input');
  }
}

async function checkTable(page, name) {
  const rows = await page.$$('#modes tbody tr');
  if (rows.length === 0) return;
  await rows[0].click();
  check((await chosenMode(page)) === 0, `${name}: a click in the table chooses the mode`);
  await page.click('#modes thead button:has-text("Re s")');
  check((await page.getAttribute('#modes th[aria-sort]', 'aria-sort')) === 'ascending', `${name}: sorted upwards`);
  const upwards = await realParts(page);
  await page.click('#modes thead button:has-text("Re s")');
  const downwards = await realParts(page);
  const sorted = upwards.every((value, index) => index === 0 || upwards[index - 1] <= value);
  check(sorted, `${name}: rows are in order`, upwards.join(' '));
  check(
    downwards.every((value, index) => index === 0 || downwards[index - 1] >= value),
    `${name}: and the other way round`,
  );
  await page.fill('#filter', 'no such words at all');
  check((await page.$$('#modes tbody tr')).length === 0, `${name}: the filter hides modes without its words`);
  await page.fill('#filter', '');
  check((await page.$$('#modes tbody tr')).length === rows.length, `${name}: without a filter all are back`);
  await page.click('#modes thead button:has-text("Mode")');
}

/** Numbers of a column as they are written, such as −2·10⁻⁵. */
const realParts = page =>
  page.$$eval('#modes tbody tr td:nth-child(4)', cells => {
    const superscripts = '⁻⁰¹²³⁴⁵⁶⁷⁸⁹';
    const plain = text => [...text].map(character => '-0123456789'[superscripts.indexOf(character)]).join('');
    return cells.map(cell => {
      const [, sign, factor, power] = /^(−?)([\d.]*?)·?(?:10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(cell.textContent);
      return Number(`${sign ? '-' : ''}${factor || 1}e${power ? plain(power) : 0}`);
    });
  });

async function checkKeyboard(page, name) {
  const modes = (await page.$$('#modes tbody tr')).length;
  await page.evaluate(() => document.activeElement?.blur());
  if (modes > 1) {
    await page.evaluate(() => (location.hash = '#mode=1'));
    await page.waitForTimeout(50);
    await page.keyboard.press('ArrowRight');
    check((await chosenMode(page)) === 1, `${name}: → goes to the next mode`, await chosenMode(page));
    await page.keyboard.press('ArrowLeft');
    check((await chosenMode(page)) === 0, `${name}: ← goes back`);
  }
  await page.focus('#modes tbody tr button');
  if (modes > 1) {
    await page.keyboard.press('ArrowDown');
    check((await chosenMode(page)) === 1, `${name}: ↓ in the table goes to the next row`);
  }
  const unreached = await unreachableByTab(page);
  check(unreached.length === 0, `${name}: every control is reached with the tab key`, unreached.join(', '));
}

async function unreachableByTab(page) {
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    document.activeElement?.blur();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const controls = await page.$$eval('button, input, select, summary', elements => {
    const open = elements.filter(element => element.offsetParent !== null && !element.disabled);
    open.forEach((element, index) => (element.dataset.number = String(index)));
    return open.map(element => element.id || element.textContent || element.type);
  });
  await page.evaluate(() => {
    window.reached = new Set();
    addEventListener('focusin', event => window.reached.add(Number(event.target.dataset.number)));
  });
  const presses = Math.min(controls.length + 20, mostPresses);
  for (let press = 0; press < presses; press++) await page.keyboard.press('Tab');
  const reached = new Set(await page.evaluate(() => [...window.reached]));
  // Of a table with hundreds of rows the first are enough.
  return controls.filter((_, index) => index < presses - 20 && !reached.has(index));
}

async function checkDark(page, name) {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.click('#theme');
  check((await colour()) !== light, `${name}: light and dark differ`);
  await page.click('#theme');
}

/** All rules in light; dark differs by its colours alone. */
async function checkStillPage(browser, file, name, pictures) {
  const { page, context } = await open(browser, file, {
    colorScheme: 'light',
    bypassCSP: true,
    reducedMotion: 'reduce',
  });
  if (await page.$('#mechanism')) {
    const before = (await drawnOn(page, '#mechanism')).sum;
    await page.waitForTimeout(150);
    check((await drawnOn(page, '#mechanism')).sum === before, `${name}: stands still for readers who want no motion`);
  }
  await page.addScriptTag({ content: axe });
  await runAxe(page, `${name}: nothing to complain about for axe in light`, { runOnly: rules });
  await page.emulateMedia({ colorScheme: 'dark' });
  await runAxe(page, `${name}: nothing to complain about for axe in dark`, {
    runOnly: { type: 'rule', values: ['color-contrast'] },
  });
  await checkPhone(page, name, pictures);
  await context.close();
}

async function runAxe(page, claim, options) {
  const found = await page.evaluate(async wanted => (await axe.run(document, wanted)).violations, options);
  const texts = found.map(violation => `${violation.id} (${violation.impact}) at ${violation.nodes[0].target}`);
  check(found.length === 0, claim, texts.join('; '));
}

/** The page that stands still is made narrow: nothing but that differs on a phone. */
async function checkPhone(page, name, pictures) {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.waitForTimeout(100);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(width <= 390, `${name}: fits a phone without scrolling sideways`, width);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}_phone.png`), fullPage: true });
}

async function checkPaper(page, name, pictures) {
  const pdf = await page.pdf({ format: 'A4' });
  if (pictures) writeFileSync(join(pictures, `${name}.pdf`), pdf);
  const pages = (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
  check(pages >= 1 && pages <= mostPagesOfPaper, `${name}: prints on a few pages`, pages);
}

async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 20000 }), page.click(selector)]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

/** Files that a reader saves are what their names say. */
async function checkSaving(page, name) {
  const json = await saved(page, '#provenance button:has-text("JSON")');
  const data = JSON.parse(json.content.toString());
  check(json.name.endsWith('.json') && data.schema === 'stillpoint.page/1', `${name}: saves its data`, json.name);
  const csv = await saved(page, '#provenance button:has-text("CSV")');
  const lines = csv.content.toString().trim().split('\r\n');
  check(lines[0].startsWith('mode,frequency_hz'), `${name}: saves its modes`, lines[0]);
  if (!(await page.isVisible('#at-rest'))) return;
  const svg = await saved(page, '#at-rest button:has-text("SVG")');
  const picture = svg.content.toString();
  check(
    /^<svg[^>]*xmlns/.test(picture) && picture.length > 500,
    `${name}: saves its picture as SVG`,
    picture.slice(0, 80),
  );
  const png = await saved(page, '#at-rest button:has-text("PNG")');
  check(png.content.subarray(1, 4).toString() === 'PNG', `${name}: saves its picture as PNG`);
}

async function checkSafety(page, name) {
  const unsafe = await page.evaluate(() => {
    const scripts = document.querySelectorAll('script').length;
    const handlers = [...document.querySelectorAll('*')].filter(element =>
      element.getAttributeNames().some(key => key.startsWith('on')),
    );
    return { scripts, handlers: handlers.length, images: document.querySelectorAll('img').length };
  });
  check(
    unsafe.scripts === 2 && unsafe.handlers === 0 && unsafe.images === 0,
    `${name}: names are text, never markup`,
    JSON.stringify(unsafe),
  );
}

async function checkPage(browser, file, pictures) {
  const name = basename(file, '.html');
  const { page, context, problems } = await open(browser, file, { colorScheme: 'light' });
  await checkFirstScreen(page, name);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  if (await page.$('#mechanism')) {
    await checkMotion(page, name);
    await checkGaps(page, name);
  }
  await checkEquilibria(page, name);
  await checkPlane(page, name);
  await checkTable(page, name);
  if ((await page.$$('#modes tbody tr')).length > 0) await checkKeyboard(page, name);
  await checkDark(page, name);
  await checkSaving(page, name);
  await checkSafety(page, name);
  await checkPaper(page, name, pictures);
  check(problems.length === 0, `${name}: no complaint and no request`, problems.join('; '));
  await context.close();
  await checkStillPage(browser, file, name, pictures);
}

/** Other equilibria are drawn where they are, and their modes move there. */
async function checkEquilibria(page, name) {
  const pictures = await page.$$('#equilibria li canvas');
  if (name === 'equilibria') check(pictures.length > 0, `${name}: other equilibria have pictures`);
  if (pictures.length === 0) return;
  const drawn = await drawnOn(page, '#equilibria li:nth-child(1) canvas');
  check(drawn.ink > 0.002, `${name}: another equilibrium is drawn`, drawn.ink);
  await page.click('#equilibria li:last-child button');
  const title = await page.textContent('#equilibria li:last-child b');
  check((await page.textContent('#mode-name')).startsWith(title), `${name}: shows the modes of ${title}`);
  const listed = await page.$eval('#modes select', select => select.selectedOptions[0].textContent);
  check(listed === title, `${name}: the table says whose modes it lists`, listed);
  if ((await page.getAttribute('#play', 'aria-pressed')) === 'false') await page.click('#play');
  check(await waitUntilItMoves(page), `${name}: moves in a mode of ${title}`);
  await checkGaps(page, `${name}, ${title}`);
}

/** In the plane and in space, and so many links that each is drawn with one stroke, or as a thin line. */
function pagesOfFixtures(folder) {
  const fixtures = {
    chain_in_2d: fullPageData(chainScene(3, 2)),
    chain_in_3d: fullPageData(chainScene(3, 3)),
    chain_of_strokes: pageData(chainScene(300, 3)),
    chain_of_lines: pageData(chainScene(800, 2)),
  };
  return Object.entries(fixtures).map(([name, data]) => {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, pageOf(data));
    return file;
  });
}

async function main() {
  const words = process.argv.slice(2);
  const place = words.indexOf('--pictures');
  const [, pictures] = place < 0 ? [] : words.splice(place, 2);
  if (pictures) mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'stillpoint-page-'));
  // The fixtures have names and descriptions that would run if they were markup, and every class of eigenvalue.
  const files = [...pagesOfFixtures(folder), ...words.map(word => resolve(word))];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const started = Date.now();
      try {
        await checkPage(browser, file, pictures);
      } catch (error) {
        check(false, `${basename(file)}: the test ran to its end`, error.message.split('\n')[0]);
      }
      console.log(`${basename(file)}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
    }
  };
  // Pages wait for pictures and for keys most of the time, so several are looked at at once.
  await Promise.all(Array.from({ length: pagesAtOnce }, worker));
  await browser.close();
  rmSync(folder, { recursive: true });
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed ? 1 : 0);
}

await main();
