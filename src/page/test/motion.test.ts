import assert from 'node:assert/strict';
import test from 'node:test';
import type { PageData } from '../src/data.ts';
import { largestGap } from '../src/gaps.ts';
import { Motion, openMotions } from '../src/motion.ts';
import { unpack, unpackObject } from '../src/packed.ts';
import { amplitudesAt } from '../src/playback.ts';
import { poseAtRest, poseFromNumbers, Pose } from '../src/pose.ts';
import { distance, matrixOfQuaternion, matrixOfRotationVector } from '../src/rotation.ts';
import type { Scene, StoredMotion } from '../src/scene.ts';
import { fixtures } from './fixtures.ts';

const smallestVisible = 5e-4; // of the picture: half a pixel in a thousand

for (const dimension of [2, 3] as const) {
  test(`motion in ${dimension} dimensions: joints stay closed all through a cycle, and first order alone opens them`, async () => {
    const { chainScene } = await fixtures();
    const scene: Scene = chainScene(4, dimension);
    const rest = poseAtRest(scene.frames);
    assert.ok(largestGap(scene, rest) < 1e-12);
    const pose = new Pose(rest.frames);
    for (const motion of await openMotions(scene, rest)) {
      const firstOrder = await Motion.open(onlyFirstOrder(motion.stored), rest, dimension);
      let [closed, opened] = [0, 0];
      for (let step = 0; step < 50; step++) {
        const a = Math.cos((2 * Math.PI * step) / 50);
        closed = Math.max(closed, largestGap(scene, motion.at(a, 0, pose)));
        opened = Math.max(opened, largestGap(scene, firstOrder.at(a, 0, pose)));
      }
      assert.ok(closed < smallestVisible, `open by ${closed}`);
      assert.ok(opened > 10 * smallestVisible, `the check finds nothing: ${opened}`);
    }
  });

  test(`motion in ${dimension} dimensions: the lowest point is where the angles put it`, async () => {
    const { chainScene } = await fixtures();
    const scene: Scene = chainScene(1, dimension);
    const rest = poseAtRest(scene.frames);
    const motion = (await openMotions(scene, rest))[0]!;
    const pose = motion.at(1, 0, new Pose(1));
    const tip = pose.place({ frame: 0, at: dimension === 2 ? [0, -0.25, 0] : [0, 0, -0.25] });
    const [x, down] = [0.5 * Math.sin(0.45), -0.5 * Math.cos(0.45)];
    assert.ok(distance(tip, dimension === 2 ? [x, down, 0] : [x, 0, down]) < smallestVisible);
  });
}

function onlyFirstOrder(stored: StoredMotion): StoredMotion {
  const scales = stored.values.scale as number[];
  const perTerm = scales.length / stored.powers.length;
  const scale = scales.map((value, block) => (Math.floor(block / perTerm) === 0 ? value : 0));
  return { ...stored, values: { ...stored.values, scale } };
}

test('arrays: differences modulo their size and one scale a block give the numbers back', async () => {
  const { pack } = await fixtures();
  const values = [1, -1, 0.5, 0.25, 100, -100, 3, 7];
  const opened = await unpack(pack(values, 2));
  values.forEach((value, index) => assert.ok(Math.abs(opened[index]! - value) <= (index < 4 ? 1 : 100) / 32767));
  assert.deepEqual([...(await unpack([1, 2]))], [1, 2]);
});

test('arrays: a damaged one is refused', async () => {
  const { pack } = await fixtures();
  await assert.rejects(unpack({ ...pack([1, 2, 3], 1), count: 4 }), /damaged/);
});

test('objects: they come as they are or packed', async () => {
  const { gzipSync } = await import('node:zlib');
  const gzip = gzipSync(JSON.stringify({ name: 'ö' })).toString('base64');
  assert.deepEqual(await unpackObject<{ name: string }>({ gzip }), { name: 'ö' });
  assert.deepEqual(await unpackObject({ name: 'a' }), { name: 'a' });
});

test('rotations: a rotation vector and its quaternion give the same matrix, also for tiny angles', () => {
  for (const angle of [1e-14, 0.3, 3.1]) {
    const axis = [2 / 3, -1 / 3, 2 / 3] as const;
    const sine = Math.sin(angle / 2);
    const expected = matrixOfQuaternion([Math.cos(angle / 2), sine * axis[0], sine * axis[1], sine * axis[2]]);
    const matrix = matrixOfRotationVector(angle * axis[0], angle * axis[1], angle * axis[2]);
    matrix.forEach((value, index) => assert.ok(Math.abs(value - expected[index]!) < 1e-14));
  }
});

test('motion in time: positions and angles or quaternions of a frame become its pose', () => {
  const plane = poseFromNumbers(Float64Array.of(9, 9, 9, 1, 2, Math.PI / 2), 3, 1, 2);
  assert.ok(distance(plane.place({ frame: 0, at: [1, 0, 0] }), [1, 3, 0]) < 1e-15);
  const half = Math.SQRT1_2;
  const space = poseFromNumbers(Float64Array.of(1, 2, 3, half, half, 0, 0), 0, 1, 3);
  assert.ok(distance(space.place({ frame: 0, at: [0, 1, 0] }), [1, 2, 4]) < 1e-15);
});

const motionWith = (s: [number, number], kind: StoredMotion['kind']): StoredMotion => ({
  s,
  kind,
  amplitude: 1,
  degree: 1,
  powers: [],
  error: 0,
  gap: 0,
  values: { type: 'int16', count: 0, gzip: '' },
});

test('playing: amplitudes stay within the disc, decay as e^(σt), and start again', () => {
  const damped = motionWith([-0.3, 2], 'oscillating');
  const period = Math.PI; // of ω = 2
  for (let cycles = 0; cycles < 20; cycles += 0.07) {
    for (const motion of [
      damped,
      motionWith([0.3, 2], 'oscillating'),
      motionWith([-1, 0], 'real'),
      motionWith([0, 0], 'neutral'),
    ]) {
      const { a, b } = amplitudesAt(motion, cycles, true);
      assert.ok(Math.hypot(a, b) <= 1 + 1e-12);
    }
  }
  const { a, b } = amplitudesAt(damped, 1.25, true);
  assert.ok(Math.abs(Math.hypot(a, b) - Math.exp(-0.3 * 1.25 * period)) < 1e-12);
  assert.ok(Math.abs(a) < 1e-12 && b > 0);
  const undecayed = amplitudesAt(damped, 7.25, false);
  assert.ok(Math.abs(Math.hypot(undecayed.a, undecayed.b) - 1) < 1e-12);
});

test('playing: real roots do not oscillate, and neutral ones go to and fro', () => {
  const creeping = [0, 0.3, 0.6, 0.99].map(cycles => amplitudesAt(motionWith([-2, 0], 'real'), cycles, false).a);
  assert.ok(creeping.every((a, index) => index === 0 || a < creeping[index - 1]!) && creeping.at(-1)! > 0);
  const growing = [0, 0.5, 0.99].map(cycles => amplitudesAt(motionWith([2, 0], 'real'), cycles, false).a);
  assert.ok(growing[0]! < growing[1]! && growing[1]! < growing[2]!);
  assert.deepEqual(
    [0, 0.5].map(cycles => amplitudesAt(motionWith([0, 0], 'neutral'), cycles, false)),
    [
      { a: 1, b: 0 },
      { a: -1, b: 0 },
    ],
  );
});

test('the fixture is what the page expects', async () => {
  const { pageData, chainScene } = await fixtures();
  const data: PageData = pageData(chainScene(2, 2));
  assert.equal(data.schema, 'stillpoint.page/1');
});
