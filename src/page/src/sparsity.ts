// Pictures of where the matrices have entries: the tool's own SVG, without anything that could run.
import type { PageData } from './data.ts';
import { make, makeSection } from './dom.ts';

export function showSparsity(data: PageData): HTMLElement | undefined {
  const pictures = (data.sparsity ?? []).flatMap(({ title, caption, svg }) => {
    const picture = pictureOf(svg, `Entries of ${title}`);
    if (!picture) return [];
    const words = make('figcaption', {}, make('b', { text: title }), caption ? ` ${caption}` : '');
    return [make('figure', {}, picture, words)];
  });
  if (pictures.length === 0) return undefined;
  const section = makeSection('sparsity', 'Sparsity', 'where the matrices have entries');
  section.append(make('div', { class: 'pictures' }, ...pictures));
  return section;
}

export function pictureOf(svg: string, label: string): Element | undefined {
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (picture.nodeName !== 'svg') return undefined;
  for (const active of picture.querySelectorAll('script, foreignObject, a, image, use')) active.remove();
  for (const element of [picture, ...picture.querySelectorAll('*')])
    for (const attribute of [...element.attributes])
      if (/^on|href$/i.test(attribute.name)) element.removeAttribute(attribute.name);
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', label);
  return document.importNode(picture, true);
}
