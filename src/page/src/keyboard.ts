// Keys of the page: space plays, arrows choose the mode, + − 0 zoom, Shift and arrows turn.
import type { Choice } from './choice.ts';
import type { ModeView } from './mode_view.ts';

const textInputs = new Set(['search', 'text', 'range', 'number']);
const turn = 0.12; // rad a key

export function listenToKeys(choice: Choice, modeView: ModeView | undefined): void {
  const view = modeView?.view;
  const actions: Record<string, () => void> = {
    ' ': () => modeView?.play(!modeView.plays),
    ArrowRight: () => choice.choose(choice.selected + 1),
    ArrowLeft: () => choice.choose(choice.selected - 1),
    '+': () => view?.zoomBy(1.25),
    '-': () => view?.zoomBy(0.8),
    '0': () => view?.reset(),
    'Shift+ArrowRight': () => view?.turnBy(-turn, 0),
    'Shift+ArrowLeft': () => view?.turnBy(turn, 0),
    'Shift+ArrowUp': () => view?.turnBy(0, -turn),
    'Shift+ArrowDown': () => view?.turnBy(0, turn),
  };
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || isMeantForControl(event)) return;
    const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Fields and lists use the same keys; a button takes the space bar for itself. */
function isMeantForControl(event: KeyboardEvent): boolean {
  const target = event.target;
  if (target instanceof HTMLInputElement) return textInputs.has(target.type) || event.key === ' ';
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLButtonElement) return event.key === ' ';
  if (target instanceof HTMLElement && target.closest('summary, pre')) return true;
  return false;
}
