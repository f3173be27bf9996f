// Elements of the page. Names that come from a model file become text here, never markup.

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element '${id}'`);
  return found as Kind;
}

interface Looks {
  class?: string;
  text?: string;
  attributes?: Record<string, string>;
}

/** A new element with the given text and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  looks: Looks = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (looks.class) element.className = looks.class;
  if (looks.text !== undefined) element.textContent = looks.text;
  for (const [name, value] of Object.entries(looks.attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function makeButton(text: string, act: () => void, label?: string): HTMLButtonElement {
  const button = make('button', { text, attributes: { type: 'button' } });
  if (label) button.setAttribute('aria-label', label);
  button.addEventListener('click', act);
  return button;
}

/** A labelled checkbox; `changed` is told its new state. */
export function makeCheckbox(text: string, on: boolean, changed: (on: boolean) => void): HTMLLabelElement {
  const box = make('input', { attributes: { type: 'checkbox' } });
  box.checked = on;
  box.addEventListener('change', () => changed(box.checked));
  return make('label', {}, box, text);
}

interface Choice {
  value: string;
  text: string;
}

/** A labelled list of choices; `changed` is told the chosen value. */
export function makeChoice(text: string, choices: Choice[], changed: (value: string) => void): HTMLLabelElement {
  const list = make('select');
  for (const choice of choices) list.append(make('option', { text: choice.text, attributes: { value: choice.value } }));
  list.addEventListener('change', () => changed(list.value));
  return make('label', {}, text, list);
}

/** A section of the page with its heading; it is put at the end of the main part. */
export function makeSection(id: string, title: string, note = '', wide = true): HTMLElement {
  const heading = make('h2', { text: title, attributes: { id: `${id}-title` } });
  if (note) heading.append(make('span', { text: note }));
  const section = make('section', { attributes: { id, 'aria-labelledby': `${id}-title` } }, heading);
  if (wide) section.className = 'wide';
  return section;
}

export const makeParagraphs = (texts: string[]): HTMLElement[] => texts.map(text => make('p', { text }));
