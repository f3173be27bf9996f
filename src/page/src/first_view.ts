// The mechanism at rest, beside the verdict, with the names of its parts.
import { byId, make, makeButton, makeCheckbox } from './dom.ts';
import { MechanismView } from './mechanism_view.ts';
import type { Pose } from './pose.ts';
import type { Scene } from './scene.ts';

const mostNamedParts = 16;

export function showAtRest(scene: Scene, rest: Pose, canSave: (view: MechanismView) => HTMLElement[]): MechanismView {
  const place = byId('at-rest');
  place.hidden = false;
  const view = new MechanismView(scene, rest, `${scene.model.name} at rest`);
  view.names = scene.frames.length + scene.elements.length <= mostNamedParts;
  const names = makeCheckbox('names', view.names, on => {
    view.names = on;
    view.redraw();
  });
  const tools = make('div', { class: 'controls' }, names);
  if (scene.elements.some(element => element.force !== undefined || element.reaction)) {
    const forces = makeCheckbox('forces', false, on => {
      view.forces = on;
      view.redraw();
    });
    tools.append(forces);
  }
  tools.append(...zoomButtons(view), make('span', { class: 'spring' }), ...canSave(view));
  place.append(view.canvas, make('figcaption', { text: caption(scene) }), tools);
  return view;
}

function caption(scene: Scene): string {
  if (scene.schematic) return 'The model has no places; its coordinates are drawn in a row.';
  return scene.dimension === 3 ? 'At rest. Drag to turn it, with Shift to shift it.' : 'At rest.';
}

export function zoomButtons(view: MechanismView): HTMLElement[] {
  const buttons = [
    makeButton('+', () => view.zoomBy(1.25), 'Zoom in'),
    makeButton('−', () => view.zoomBy(0.8), 'Zoom out'),
    makeButton('all', () => view.reset(), 'Show all'),
  ];
  return [make('span', { class: 'buttons' }, ...buttons)];
}
