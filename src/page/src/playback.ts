// How a mode is played: which amplitudes (a, b) its motion has at which time. The time is counted in cycles of the
// mode, since the modes of one mechanism differ by powers of ten in their frequencies.
import type { StoredMotion } from './scene.ts';

export interface Amplitudes {
  a: number;
  b: number;
}

/** A decaying motion starts again when it has become this small; a growing one starts so small. */
const smallest = 0.05;
const timeConstantsOfACreep = 4;

/** ln of what one cycle leaves of the amplitude; for real roots only its sign matters. */
export function growthPerCycle(motion: StoredMotion): number {
  const [real, imaginary] = motion.s ?? [0, 0];
  if (motion.kind === 'neutral' || motion.kind === 'tangent') return 0;
  return imaginary > 0 ? (2 * Math.PI * real) / imaginary : Math.sign(real);
}

/** The amplitudes after so many cycles, for a slider at 1. `decay`: as large as it really is then. */
export function amplitudesAt(motion: StoredMotion, cycles: number, decay: boolean): Amplitudes {
  if (motion.kind === 'real') return { a: creep(growthPerCycle(motion), cycles), b: 0 };
  const growth = growthPerCycle(motion);
  if (motion.kind === 'oscillating' && decay && growth !== 0) return decaying(growth, cycles);
  const angle = 2 * Math.PI * cycles;
  return { a: Math.cos(angle), b: motion.kind === 'oscillating' ? Math.sin(angle) : 0 };
}

function decaying(growth: number, cycles: number): Amplitudes {
  const lasts = Math.log(1 / smallest) / Math.abs(growth);
  const since = cycles % lasts;
  const size = growth < 0 ? Math.exp(growth * since) : Math.exp(growth * (since - lasts));
  return { a: size * Math.cos(2 * Math.PI * since), b: size * Math.sin(2 * Math.PI * since) };
}

/** A real root: no oscillation, e^(st) alone. */
function creep(growth: number, cycles: number): number {
  const since = cycles % 1;
  return Math.exp(-timeConstantsOfACreep * (growth > 0 ? 1 - since : since));
}

/** A clock that runs while it is wanted, and tells after each picture how much time has passed. */
export class Clock {
  private last = 0;
  private running = false;

  constructor(private readonly tick: (seconds: number) => void) {}

  get runs(): boolean {
    return this.running;
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    requestAnimationFrame(now => {
      this.last = now;
      this.next(now);
    });
  }

  stop(): void {
    this.running = false;
  }

  private next(now: number): void {
    if (!this.running) return;
    // After a pause of the browser the motion goes on where it was.
    const seconds = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    this.tick(seconds);
    requestAnimationFrame(later => this.next(later));
  }
}
