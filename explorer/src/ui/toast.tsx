// Short messages about completed actions that disappear automatically. The page contains one `ToastRegion`.
import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import './toast.css';

export type ToastAction =
  | { readonly label: string; readonly href: string }
  | { readonly label: string; readonly onSelect: () => void; readonly isOffered: () => boolean };

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'success' | 'info' | 'danger';
  readonly actions: readonly ToastAction[];
}

const SHOWN_MS = 5000;
/** Long enough to reach the actions. */
const SHOWN_WITH_ACTIONS_MS = 15_000;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Takes the place of a toast with the same text, unless that one offers actions. */
export function showToast(text: string, tone: Toast['tone'] = 'success', actions: readonly ToastAction[] = []): void {
  lastId += 1;
  const id = lastId;
  const others = toasts.value.filter((toast) => toast.text !== text || toast.actions.length > 0);
  toasts.value = [...others.slice(-2), { id, text, tone, actions }];
  removeLater(id, actions.length === 0 ? SHOWN_MS : SHOWN_WITH_ACTIONS_MS);
}

/** Waits while the toast has the pointer or the focus. */
function removeLater(id: number, afterMs: number): void {
  setTimeout(() => {
    if (document.querySelector(`[data-toast="${id}"]`)?.matches(':hover, :focus-within') === true)
      removeLater(id, SHOWN_MS);
    else removeToast(id);
  }, afterMs);
}

function removeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function ToastRegion(): VNode {
  return (
    <div class="ui-stack ui-gap-3 ui-toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={`ui-toast ui-toast-${toast.tone}`} data-toast={toast.id}>
          <Icon name={toast.tone === 'success' ? 'check' : toast.tone === 'info' ? 'info' : 'error'} />
          <bdi class="ui-toast-text">{toast.text}</bdi>
          {toast.actions.filter(isOffered).map((action) => (
            <ToastButton key={action.label} action={action} onSelected={() => removeToast(toast.id)} />
          ))}
          <IconButton icon="close" label="Dismiss" size="small" onClick={() => removeToast(toast.id)} />
        </div>
      ))}
    </div>
  );
}

/** Reads signals, so that an action disappears when it has no effect any more. */
function isOffered(action: ToastAction): boolean {
  return 'href' in action || action.isOffered();
}

/** A link leaves the toast open: its other actions are still of use. */
function ToastButton({ action, onSelected }: { readonly action: ToastAction; readonly onSelected: () => void }): VNode {
  if ('href' in action) {
    return (
      <a class="ui-toast-link" href={action.href}>
        {action.label}
      </a>
    );
  }
  const use = (): void => {
    onSelected();
    action.onSelect();
  };
  return (
    <Button size="small" onClick={use}>
      {action.label}
    </Button>
  );
}
