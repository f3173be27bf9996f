// Numbers as a person writes them: a true minus sign, powers of ten, two digits of a percentage.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const withMinus = (text: string): string => text.replace('-', '−');

function power(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map(digit => superscripts[Number(digit)]).join('');
  return `10${exponent < 0 ? '⁻' : ''}${digits}`;
}

/** At most so many digits, as in "12.566", "−2·10⁻⁵"; a dash where there is no number. */
export function digits(value: number | null | undefined, count = 5): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e6 && size >= 1e-4) return withMinus(String(Number(value.toPrecision(count))));
  const [mantissa = '', exponent = ''] = size.toExponential(count - 1).split('e');
  const factor = String(Number(mantissa));
  return `${value < 0 ? '−' : ''}${factor === '1' ? '' : `${factor}·`}${power(Number(exponent))}`;
}

/** Two digits are left of a small share: 0.011 %, never 0.0 %. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || Number.isNaN(share)) return '–';
  const value = 100 * share;
  const size = Math.abs(value);
  if (size > 0 && size < 1e-3) return `${digits(value, 2)} %`;
  if (size < 1) return `${withMinus(String(Number(value.toPrecision(2))))} %`;
  return `${withMinus(value.toFixed(size < 9.95 ? 1 : 0))} %`;
}

/** A complex number, as in "−0.12 + 3.4 i". */
export function complex(real: number | null, imaginary: number | null, count = 8): string {
  if (real === null || imaginary === null) return '∞';
  return `${digits(real, count)} ${imaginary < 0 ? '−' : '+'} ${digits(Math.abs(imaginary), count)} i`;
}

/** The label of a tick of an axis. */
export function tickLabel(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e4 || size < 1e-3) ? shortPower(value) : digits(value, 4);
}

function shortPower(value: number): string {
  const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const mantissa = Number((Math.abs(value) / 10 ** exponent).toFixed(1));
  return `${value < 0 ? '−' : ''}${mantissa === 1 ? '' : `${mantissa}·`}${power(exponent)}`;
}

/** In seconds or, below one, in milliseconds. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  return seconds < 1 ? `${digits(1000 * seconds, 2)} ms` : `${digits(seconds, 3)} s`;
}

/** "1 mode", "3 modes". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
