// Short messages about completed actions that disappear automatically. The page contains one `ToastRegion`.
import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import './toast.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'success' | 'info' | 'danger';
}

const SHOWN_MS = 5000;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

export function showToast(text: string, tone: Toast['tone'] = 'success'): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone }];
  setTimeout(() => removeToast(id), SHOWN_MS);
}

function removeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function ToastRegion(): VNode {
  return (
    <div class="ui-toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={`ui-toast ui-toast-${toast.tone}`}>
          <Icon name={toast.tone === 'success' ? 'check' : toast.tone === 'info' ? 'info' : 'error'} />
          <span>{toast.text}</span>
          <IconButton icon="close" label="Dismiss" size="small" onClick={() => removeToast(toast.id)} />
        </div>
      ))}
    </div>
  );
}
