// Where the numbers come from: command, version, date, hash, parameters, and the model file itself.
import type { PageData } from './data.ts';
import { make, makeSection } from './dom.ts';
import { digits } from './numbers.ts';

export function showProvenance(data: PageData, buttons: HTMLElement[]): HTMLElement {
  const { provenance, model } = data;
  const section = makeSection('provenance', 'Provenance', 'how to get this page again');
  section.append(make('p', {}, make('code', { text: provenance.command, attributes: { id: 'command' } })));
  section.append(make('p', { class: 'quiet', text: madeBy(data) }));
  const parameters = Object.entries(model.parameters);
  if (parameters.length > 0) {
    const list = make('dl', { class: 'parameters' });
    for (const [name, value] of parameters)
      list.append(make('div', {}, make('dt', { text: name }), make('dd', { text: digits(value, 8) })));
    section.append(make('h3', { text: 'Parameters' }), list);
  }
  section.append(make('div', { class: 'controls' }, ...buttons));
  if (provenance.model_text) {
    const summary = make('summary', { text: `The model, ${provenance.model_path ?? 'as it was read'}` });
    const attributes = { tabindex: '0', role: 'region', 'aria-label': 'Text of the model file' };
    section.append(make('details', {}, summary, make('pre', { text: provenance.model_text, attributes })));
  }
  return section;
}

function madeBy({ provenance }: PageData): string {
  const texts = [`Made by stillpoint ${provenance.version}, ${provenance.date.replace('T', ' ')}`];
  if (provenance.machine) texts.push(`on ${provenance.machine}`);
  const hash = provenance.sha256 ? ` SHA-256 of the model: ${provenance.sha256}.` : '';
  return `${texts.join(' ')}.${hash}`;
}
