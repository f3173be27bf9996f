import assert from 'node:assert/strict';
import test from 'node:test';
import { listsOfModes, modesOfTheModel } from '../src/choice.ts';
import type { Mode } from '../src/data.ts';
import { mix } from '../src/drawing/colours.ts';
import { largestShares } from '../src/energies.ts';
import { rowsOf } from '../src/mode_table.ts';
import { complex, digits, percent, tickLabel } from '../src/numbers.ts';
import { nearestMode, rootsOf } from '../src/roots.ts';
import { linearScale, logarithmicScale, roundTicks, signedLogarithmicScale } from '../src/scale.ts';
import { modesAsCsv } from '../src/save.ts';
import { pathThrough } from '../src/svg.ts';
import { toneOf } from '../src/verdict.ts';
import { fixtures } from './fixtures.ts';

test('numbers read as a person writes them', () => {
  assert.equal(digits(-0.25), '−0.25');
  assert.equal(digits(1 / 3, 3), '0.333');
  assert.equal(digits(2.5e-7, 2), '2.5·10⁻⁷');
  assert.equal(digits(-1e12, 3), '−10¹²');
  assert.equal(digits(null), '–');
  assert.equal(digits(0), '0');
  assert.equal(percent(0.00011), '0.011 %');
  assert.equal(percent(0.123), '12 %');
  assert.equal(percent(-0.0512), '−5.1 %');
  assert.equal(complex(-0.5, -2, 3), '−0.5 − 2 i');
  assert.equal(complex(null, null), '∞');
  assert.equal(tickLabel(-1e12), '−10¹²');
  assert.equal(tickLabel(2e-5), '2·10⁻⁵');
  assert.equal(tickLabel(0.25), '0.25');
});

test('scales: each is its own inverse', () => {
  const scales = [
    linearScale(-3, 9, 50, 450),
    logarithmicScale(0.01, 1e4, 50, 450),
    signedLogarithmicScale(-1e14, 1e14, 0.1, 50, 450),
  ];
  for (const scale of scales)
    for (const value of [0.02, 2e-2, 3, 7.5])
      assert.ok(Math.abs(scale.toValue(scale.toPixel(value)) - value) <= 1e-9 * value);
  assert.equal(logarithmicScale(0.1, 100, 0, 300).toPixel(1), 100);
});

test('scales: ticks are round, and labels of the signed logarithm have room', () => {
  assert.deepEqual(roundTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  const scale = signedLogarithmicScale(-1e14, 1e14, 0.1, 50, 450);
  assert.ok(scale.ticks.includes(0) && scale.ticks.length > 4);
  for (const one of scale.ticks)
    for (const other of scale.ticks)
      if (one !== other) assert.ok(Math.abs(scale.toPixel(one) - scale.toPixel(other)) > 30);
  assert.ok(logarithmicScale(3, 5, 0, 100).ticks.length >= 2);
});

const mode = (more: Partial<Mode>): Mode => ({ s: [0, 1], frequency_hz: 1, damping_ratio: 0, class: 'true', ...more });

test('table: sorts by a column both ways and keeps what has all words of the filter', () => {
  const modes = [
    mode({ frequency_hz: 3, description: 'crank moves; spring' }),
    mode({ frequency_hz: 1, description: 'rocker moves; spring' }),
    mode({ frequency_hz: 2, description: 'crank moves', class: 'undecided' }),
  ];
  const byFrequency = { title: 'Hz', key: (one: Mode): number => one.frequency_hz ?? 0, text: (): string => '' };
  assert.deepEqual(rowsOf(modes, '', byFrequency, true), [1, 2, 0]);
  assert.deepEqual(rowsOf(modes, '', byFrequency, false), [0, 2, 1]);
  assert.deepEqual(rowsOf(modes, 'CRANK spring', byFrequency, true), [0]);
  assert.deepEqual(rowsOf(modes, 'undecided', byFrequency, true), [2]);
  assert.deepEqual(rowsOf(modes, 'wheel', byFrequency, true), []);
});

test('modes: spurious and infinite ones and lower halves of pairs are none of the model', async () => {
  const modes = [
    mode({}),
    mode({ s: [0, -1] }),
    mode({ class: 'spurious' }),
    mode({ s: [null, null] }),
    mode({ s: [-1, 0] }),
  ];
  assert.deepEqual(modesOfTheModel(modes), [modes[0], modes[4]]);
  const { pageData, chainScene } = await fixtures();
  const data = pageData(chainScene(2, 2));
  data.branches = [{ name: 'branch 1', modes: [mode({})] }];
  assert.deepEqual(
    listsOfModes(data).map(list => [list.title, list.modes.length]),
    [
      ['The model', 2],
      ['branch 1', 1],
    ],
  );
});

test('roots: both of a pair, belonging to the nearest mode; spurious ones to none', async () => {
  const { pageData, chainScene } = await fixtures();
  const data = pageData(chainScene(2, 2));
  const roots = rootsOf(data, modesOfTheModel(data.methods.mcs!.modes));
  assert.equal(roots.length, 14);
  assert.deepEqual(
    roots.filter(root => root.method === 'rcs').map(root => root.mode),
    [0, 0, 1, 1, -1, -1],
  );
  assert.equal(nearestMode([mode({ s: [0, 1] }), mode({ s: [0, 2] })], [0, -1.9]), 1);
});

test('energies: the largest first, indices together when there are many', () => {
  assert.deepEqual(
    largestShares({ a: 0.1, b: -0.7, c: 0.001 }).map(share => share.name),
    ['b', 'a'],
  );
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`link[${index}]`, 0.05]));
  const [only, ...rest] = largestShares(many);
  assert.equal(only?.name, 'link[…]');
  assert.ok(Math.abs((only?.value ?? 0) - 1) < 1e-12 && rest.length === 0);
});

test('verdicts: their signs and colours', () => {
  assert.deepEqual(
    ['asymptotically stable', 'stable (conservative)', 'unstable', 'oscillatory', 'neutral', 'undecided'].map(toneOf),
    ['good', 'good', 'bad', 'open', 'open', 'open'],
  );
});

test('files: names from a model are no formulas in a spreadsheet, and quotes are doubled', () => {
  const csv = modesAsCsv([mode({ description: '=1+1' }), mode({ description: 'a "b", c' })]);
  assert.match(csv, /,'=1\+1\r\n/);
  assert.match(csv, /,"a ""b"", c"\r\n/);
  assert.equal(csv.split('\r\n').length, 4);
});

test('drawing: colours mix, paths begin anew where a point is missing', () => {
  assert.equal(mix('#000000', '#ffffff', 0), '#ffffff');
  assert.equal(mix('#000000', '#ffffff', 0.5), '#808080');
  assert.equal(pathThrough([[0, 1], undefined, [2, 3], [4, 5]]), 'M0.0,1.0M2.0,3.0L4.0,5.0');
});
