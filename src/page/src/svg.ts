// Pictures of lines and text that stay sharp in print: the complex plane, frequency responses, curves.

const svgNamespace = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number>;

export function svgElement(name: string, attributes: Attributes, parent?: Element, text?: string): SVGElement {
  const element = document.createElementNS(svgNamespace, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

export function svgPicture(width: number, height: number, label: string): SVGElement {
  return svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': label,
  });
}

/** A path through points in pixels; it starts anew after a point that is missing. */
export function pathThrough(points: (readonly [x: number, y: number] | undefined)[]): string {
  let path = '';
  let pen = 'M';
  for (const point of points) {
    if (!point) {
      pen = 'M';
      continue;
    }
    path += `${pen}${point[0].toFixed(1)},${point[1].toFixed(1)}`;
    pen = 'L';
  }
  return path;
}
