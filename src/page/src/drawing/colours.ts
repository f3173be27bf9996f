// The colours of drawings. They are those of the style sheet, read once for each theme, since asking costs time.

const names = [
  'paper',
  'ink',
  'ink-soft',
  'line',
  'ghost',
  'trace',
  'body',
  'body-edge',
  'body-light',
  'spring',
  'damper',
  'mass',
  'ground',
  'force',
  'joint',
  'highlight',
  'mcs',
  'rcs',
  'ucs',
] as const;

export type ColourName = (typeof names)[number];
export type Colours = Record<ColourName, string>;

let known: Colours | undefined;

export function colours(): Colours {
  if (!known) {
    const style = getComputedStyle(document.documentElement);
    known = Object.fromEntries(names.map(name => [name, style.getPropertyValue(`--${name}`).trim()])) as Colours;
  }
  return known;
}

export function forgetColours(): void {
  known = undefined;
  mixed.clear();
}

const mixed = new Map<string, string>();
const stepsOfMixing = 12;

/** `share` of one colour, the rest of the other; both written as #rrggbb. Few different ones are made, and kept. */
export function mix(one: string, other: string, share: number): string {
  const step = Math.round(Math.max(0, Math.min(1, share)) * stepsOfMixing);
  const key = `${one}${other}${step}`;
  let colour = mixed.get(key);
  if (colour === undefined) {
    colour = mixNow(one, other, step / stepsOfMixing);
    mixed.set(key, colour);
  }
  return colour;
}

function mixNow(one: string, other: string, share: number): string {
  const channel = (colour: string, place: number): number =>
    Number.parseInt(colour.slice(1 + 2 * place, 3 + 2 * place), 16);
  const both = [0, 1, 2].map(place => Math.round(share * channel(one, place) + (1 - share) * channel(other, place)));
  return `#${both.map(value => value.toString(16).padStart(2, '0')).join('')}`;
}
