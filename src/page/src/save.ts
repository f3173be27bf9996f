// Files that a reader can save: the data as JSON, the modes as CSV, pictures as SVG and PNG.
import type { Mode, PageData } from './data.ts';
import { make, makeButton } from './dom.ts';
import type { MechanismView } from './mechanism_view.ts';

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = make('a', { attributes: { href: address, download: name } });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const fileName = (data: PageData, ending: string): string =>
  `${data.model.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')}.${ending}`;

export function dataButtons(data: PageData, text: string, modes: Mode[]): HTMLElement[] {
  return [
    makeButton('Save the data (JSON)', () =>
      save(fileName(data, 'json'), new Blob([text], { type: 'application/json' })),
    ),
    makeButton('Save the modes (CSV)', () =>
      save(fileName(data, 'csv'), new Blob([modesAsCsv(modes)], { type: 'text/csv' })),
    ),
  ];
}

export function pictureButtons(data: PageData, view: MechanismView): HTMLElement[] {
  const asSvg = (): void => save(fileName(data, 'svg'), new Blob([view.asSvg()], { type: 'image/svg+xml' }));
  const asPng = (): void => view.canvas.toBlob(picture => picture && save(fileName(data, 'png'), picture));
  const buttons = [
    makeButton('SVG', asSvg, 'Save this picture as SVG'),
    makeButton('PNG', asPng, 'Save this picture as PNG'),
  ];
  return [make('span', { class: 'buttons save' }, ...buttons)];
}

const columns: [string, (mode: Mode, index: number) => string | number | null | undefined][] = [
  ['mode', (_mode, index) => index + 1],
  ['frequency_hz', mode => mode.frequency_hz],
  ['damping_ratio', mode => mode.damping_ratio],
  ['re_s', mode => mode.s[0]],
  ['im_s', mode => mode.s[1]],
  ['error', mode => mode.error],
  ['class', mode => mode.class],
  ['description', mode => mode.description],
];

/** RFC 4180; a text that a spreadsheet would take for a formula is kept a text. */
export function modesAsCsv(modes: Mode[]): string {
  const lines = [
    columns.map(([title]) => title),
    ...modes.map((mode, index) => columns.map(([, value]) => value(mode, index))),
  ];
  return `${lines.map(line => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
