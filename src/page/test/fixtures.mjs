// Pages for tests without the tool: a chain of pendulums with a motion that is known in closed form, and data around it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const bundle = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'report', 'page');

/** Numbers as the tool stores them: int16, differences along `step`, one scale for each block. */
export function pack(values, blocks, step = 1) {
  const length = values.length / blocks;
  const stored = new Int16Array(values.length);
  const scale = [];
  for (let block = 0; block < blocks; block++) {
    const part = values.slice(block * length, (block + 1) * length);
    const largest = Math.max(...part.map(Math.abs));
    scale.push(largest / 32767);
    part.forEach(
      (value, index) => (stored[block * length + index] = largest ? Math.round((32767 * value) / largest) : 0),
    );
  }
  const differences = stored.map((value, index) => (index < step ? value : value - stored[index - step]));
  return {
    type: 'int16',
    count: values.length,
    step,
    scale,
    gzip: gzipSync(Buffer.from(differences.buffer)).toString('base64'),
  };
}

const length = 0.5;
const amplitude = 0.45; // rad, of each pendulum

/** Angles of all links in mode 1 (all alike) and mode 2 (to and fro), and where the links' middles are. */
function placesAt(links, mode, a) {
  const middles = [];
  let [x, y] = [0, 0];
  for (let link = 0; link < links; link++) {
    const angle = amplitude * a * (mode === 2 && link % 2 ? -1 : 1) * ((link + 1) / links);
    const [dx, dy] = [length * Math.sin(angle), -length * Math.cos(angle)];
    middles.push({ x: x + dx / 2, y: y + dy / 2, angle });
    [x, y] = [x + dx, y + dy];
  }
  return middles;
}

const degree = 7;

/** Coefficients of a, a², … of a function that is zero at a = 0, by interpolation at the points of Chebyshev. */
function polynomialOf(value) {
  const nodes = Array.from({ length: degree + 1 }, (_, index) => Math.cos((Math.PI * (index + 0.5)) / (degree + 1)));
  const rows = nodes.map(node => [...Array.from({ length: degree + 1 }, (_, power) => node ** power), value(node)]);
  for (let pivot = 0; pivot <= degree; pivot++) {
    let best = pivot;
    for (let row = pivot + 1; row <= degree; row++)
      if (Math.abs(rows[row][pivot]) > Math.abs(rows[best][pivot])) best = row;
    [rows[pivot], rows[best]] = [rows[best], rows[pivot]];
    for (let row = 0; row <= degree; row++) {
      if (row === pivot) continue;
      const factor = rows[row][pivot] / rows[pivot][pivot];
      rows[row] = rows[row].map((entry, column) => entry - factor * rows[pivot][column]);
    }
  }
  return rows.map((row, index) => row.at(-1) / row[index]).slice(1);
}

function motionOf(links, mode, dimension) {
  const rest = placesAt(links, mode, 0);
  const functions = [
    link => a => placesAt(links, mode, a)[link].x - rest[link].x,
    link => a => placesAt(links, mode, a)[link].y - rest[link].y,
    link => a => placesAt(links, mode, a)[link].angle,
  ];
  // In space the chain hangs along −z and swings about y, whose rotation goes the other way round.
  const order = dimension === 2 ? [0, 1, 2] : [0, undefined, 1, undefined, 2, undefined];
  const values = [];
  const coefficients = functions.map(of => Array.from({ length: links }, (_, link) => polynomialOf(of(link))));
  for (let power = 0; power < degree; power++)
    for (const which of order)
      for (let link = 0; link < links; link++) {
        const sign = dimension === 3 && which === 2 ? -1 : 1;
        values.push(which === undefined ? 0 : sign * coefficients[which][link][power]);
      }
  return {
    mode,
    method: 'mcs',
    s: [-0.02 * mode, 3 * mode],
    kind: 'oscillating',
    amplitude: 0.1,
    degree,
    powers: Array.from({ length: degree }, (_, power) => [power + 1, 0]),
    error: 1e-5,
    gap: 1e-5,
    values: pack(values, degree * order.length),
  };
}

/** A chain of pendulums on hinges, hanging from the ground, with a spring and a damper. */
export function chainScene(links, dimension) {
  const flat = dimension === 2;
  const point = (x, y) => (flat ? [x, y, 0] : [x, 0, y]);
  const rest = placesAt(links, 1, 0);
  const top = point(0, length / 2);
  const bottom = point(0, -length / 2);
  const hinge = link => ({
    kind: 'revolute',
    role: 'joint',
    name: `hinge[${link}]`,
    places: [link ? { frame: link - 1, at: bottom } : { frame: -1, at: [0, 0, 0] }, { frame: link, at: top }],
    axis: flat ? [0, 0, 1] : [0, 1, 0],
    holds: 'point',
  });
  const spring = {
    kind: 'spring',
    role: 'spring',
    name: 'spring',
    places: [
      { frame: -1, at: point(0.8, 0) },
      { frame: links - 1, at: bottom },
    ],
    stiffness: 40,
    damping: 0.2,
    force: 3,
  };
  const reach = length * links;
  return {
    schema: 'stillpoint.scene/1',
    model: { name: 'chain' },
    dimension,
    size: Math.hypot(0.8, reach),
    box: [point(0, -reach), point(0.8, 0)],
    gravity: point(0, -9.81),
    frames: rest.map(({ x, y }, link) => ({ name: `link[${link}]`, kind: 'body', position: point(x, y), mass: 1 })),
    primitives: rest.map((_, link) => ({
      kind: 'capsule',
      name: `link[${link}]`,
      frame: link,
      a: top,
      b: bottom,
      radius: 0.01,
    })),
    elements: [...rest.map((_, link) => hinge(link)), spring],
    motions: [motionOf(links, 1, dimension), motionOf(links, 2, dimension)],
  };
}

const modeOf = (number, more = {}) => ({
  s: [-0.02 * number, 3 * number],
  frequency_hz: (3 * number) / (2 * Math.PI),
  damping_ratio: 0.02 / 3,
  class: 'true',
  error: 1e-12,
  description: number === 1 ? 'link[0] moves 60 %; gravity' : 'link[1] moves 70 %; stiffness from spring 80 %',
  kinetic_energy: { 'link[0]': 0.6, 'link[1]': 0.4 },
  energy: { gravity: 1.2, spring: -0.2 },
  motion: number - 1,
  ...more,
});

/** Data around a scene, with a name and descriptions that would run if they were markup. */
export function pageData(scene) {
  const spurious = {
    s: [1e4, 3e9],
    frequency_hz: 5e8,
    damping_ratio: 0,
    class: 'spurious',
    error: 1,
    why: 'belongs to the constraints',
  };
  const method = (modes, size, spuriousCount) => ({
    computed: true,
    modes,
    size,
    spurious: spuriousCount,
    solver: 'dense QZ',
    seconds: 0.001,
    count: { expected: 4, found: 4, certified: true, scope: 'all finite' },
  });
  const attack = '<script>document.title="broken"</script><img src=x onerror="document.title=1">';
  return {
    schema: 'stillpoint.page/1',
    model: {
      name: 'chain',
      description: attack,
      coordinates: 6,
      constraints: 4,
      dof: 2,
      redundant: ['hinge[0].<b>x</b>'],
      redundant_equations: 1,
      singular: false,
      parameters: { N: 2, g: 9.81 },
    },
    equilibrium: { status: 'at rest', residual: 1e-15, constraint_residual: 1e-16, worst_coordinate: 'link[0].x' },
    verdict: 'asymptotically stable',
    verdict_basis: 'eigenvalues',
    verdict_reason: 'all eigenvalues are in the left half',
    main: 'mcs',
    methods: {
      mcs: method([modeOf(1), modeOf(2, { energy: { [attack]: 1 } })], 2, 0),
      rcs: method([modeOf(1, { motion: undefined }), modeOf(2), spurious], 10, 6),
      ucs: method([modeOf(1, { error: 1e-7 }), modeOf(2, { class: 'undecided', why: 'near the penalties' })], 6, 2),
    },
    differences: { rcs: 1e-15, ucs: 1e-7 },
    advice: ['MCS suits this system.'],
    warnings: ['A warning with <b>markup</b>.'],
    scene,
    provenance: {
      command: 'stillpoint report chain',
      version: '0.1.0',
      date: '2026-11-26T12:00:00',
      sha256: 'ab'.repeat(32),
      model_text: 'name: chain',
    },
  };
}

/** The same with every section that a page can have. */
export function fullPageData(scene) {
  const data = pageData(scene);
  const frequencies = Array.from({ length: 200 }, (_, index) => 0.1 * 10 ** (index / 60));
  const response = (input, resonance) => {
    const values = frequencies.map(frequency => {
      const [real, imaginary] = [resonance ** 2 - frequency ** 2, 0.05 * resonance * frequency];
      const square = real ** 2 + imaginary ** 2;
      return [real / square, -imaginary / square];
    });
    return {
      input,
      output: 'tip.x',
      unit: 'm/N',
      frequency_hz: frequencies,
      real: values.map(([real]) => real),
      imaginary: values.map(([, part]) => part),
    };
  };
  const links = scene.frames.length;
  const time = Array.from({ length: 80 }, (_, index) => 0.05 * index);
  const poses = time.flatMap(now =>
    placesAt(links, 1, Math.cos(2 * now)).flatMap(({ x, y, angle }) =>
      scene.dimension === 2 ? [x, y, angle] : [x, 0, y, Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0],
    ),
  );
  const spectra = Array.from({ length: 30 }, (_, index) => [
    [-0.3 + 0.02 * index, 3],
    [-0.5, 6 - 0.1 * index],
  ]);
  return {
    ...data,
    verdict_words: ['Every eigenvalue has a negative real part.', 'The count is complete.'],
    left_out: ['Shapes of the modes above 30.'],
    branches: [
      {
        name: 'branch 1',
        description: 'link[0] stands still',
        verdict: 'unstable',
        tangent_motion: 0,
        modes: [modeOf(1, { s: [0.2, 3] })],
      },
      { name: 'branch 2', description: 'all move', verdict: 'neutral', tangent_motion: 1, modes: [modeOf(2)] },
    ],
    equilibria: [
      { name: 'upright', verdict: 'unstable', energy: 12.5, modes: [modeOf(1, { s: [3, 0], motion: undefined })] },
    ],
    redundancy: {
      words: ['One equation says again what three others say.'],
      constraints: [
        {
          name: 'hinge[1].tilt_x',
          joint: 'hinge[1]',
          loop: ['hinge[0]', 'hinge[1]'],
          said_by: ['hinge[0].tilt_x'],
          release: 'Release hinge[1].tilt_x.',
        },
      ],
    },
    sparsity: [
      {
        title: 'MCS',
        caption: 'order 2',
        svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>document.title=2</script><rect width="4" height="4"/></svg>',
      },
    ],
    responses: [response('push', 0.6), response('pull', 2)],
    motion_in_time: {
      time,
      frames: { ...pack(poses, 1, scene.dimension === 2 ? 3 * links : 7 * links) },
      energy: { kinetic: time.map(now => Math.sin(2 * now) ** 2), potential: time.map(now => Math.cos(2 * now) ** 2) },
    },
    root_locus: {
      parameter: 'k',
      unit: 'N/m',
      values: spectra.map((_, index) => 10 * index),
      spectra,
      verdicts: spectra.map(([[real]]) => (real > 0 ? 'unstable' : 'asymptotically stable')),
    },
  };
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The page as the tool writes it. */
export function pageOf(data) {
  const read = name => readFileSync(join(bundle, name), 'utf8').trimEnd();
  const script = read('report.js');
  const fill = {
    SCRIPT_HASH: `sha256-${createHash('sha256').update(script).digest('base64')}`,
    TITLE: escaped(data.model.name),
    STYLE: read('report.css'),
    DATA: JSON.stringify(data).replaceAll('<', '\\u003c'),
    SCRIPT: script,
  };
  return read('page.html').replaceAll(/@([A-Z_]+)@/g, (mark, name) => fill[name] ?? mark);
}
