// Axes: what becomes of a value on the screen, the way back, and where the ticks are.

export interface Scale {
  toPixel(value: number): number;
  toValue(pixel: number): number;
  ticks: number[];
}

const roomOfALabel = 30; // pixels

export function linearScale(from: number, to: number, start: number, end: number, wanted = 6): Scale {
  return {
    toPixel: value => start + ((value - from) / (to - from)) * (end - start),
    toValue: pixel => from + ((pixel - start) / (end - start)) * (to - from),
    ticks: roundTicks(from, to, wanted),
  };
}

/** About so many round values, with steps of 1, 2 or 5 times a power of ten. */
export function roundTicks(from: number, to: number, wanted: number): number[] {
  const rough = Math.abs(to - from) / Math.max(1, wanted);
  const decade = 10 ** Math.floor(Math.log10(rough));
  const mantissa = rough / decade;
  const step = decade * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  const ticks: number[] = [];
  for (let count = Math.ceil(low / step - 1e-9); count * step <= high + 1e-9 * step && ticks.length < 50; count++)
    ticks.push(count * step + 0); // + 0: no negative zero
  return ticks;
}

export function logarithmicScale(from: number, to: number, start: number, end: number): Scale {
  const low = Math.log10(from);
  const high = Math.log10(to);
  const toPixel = (value: number): number => start + ((Math.log10(value) - low) / (high - low)) * (end - start);
  const every = Math.max(1, Math.ceil((high - low) / 6));
  const decades: number[] = [];
  for (let exponent = Math.ceil(low - 1e-9); exponent <= high + 1e-9; exponent += every) decades.push(10 ** exponent);
  return {
    toPixel,
    toValue: pixel => 10 ** (low + ((pixel - start) / (end - start)) * (high - low)),
    ticks: decades.length >= 2 ? decades : roundTicks(from, to, 5).filter(tick => tick > 0),
  };
}

/** Linear within `small` of zero and logarithmic beyond, for spectra that span many decades on both sides. */
export function signedLogarithmicScale(from: number, to: number, small: number, start: number, end: number): Scale {
  const bend = (value: number): number => Math.asinh(value / small / 2);
  const low = bend(from);
  const high = bend(to);
  const toPixel = (value: number): number => start + ((bend(value) - low) / (high - low)) * (end - start);
  const toValue = (pixel: number): number =>
    2 * small * Math.sinh(low + ((pixel - start) / (end - start)) * (high - low));
  const last = Math.log10(Math.max(Math.abs(from), Math.abs(to)));
  const first = Math.ceil(Math.log10(small));
  const every = Math.max(1, Math.ceil((last - first) / 4));
  const ticks = [0];
  for (let exponent = first; exponent <= last; exponent += every) {
    for (const tick of [10 ** exponent, -(10 ** exponent)]) {
      const free = ticks.every(other => Math.abs(toPixel(other) - toPixel(tick)) > roomOfALabel);
      if (tick >= from && tick <= to && free) ticks.push(tick);
    }
  }
  return { toPixel, toValue, ticks };
}
