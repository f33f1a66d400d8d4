// The light, dark or system theme: stored in the browser and set on <html>.
import { signal, type ReadonlySignal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'rowhouse.theme';
const chosen = signal<Theme>('system');

export const theme: ReadonlySignal<Theme> = chosen;

export function restoreTheme(): void {
  const kept = localStorage.getItem(KEY);
  setTheme(kept === 'light' || kept === 'dark' ? kept : 'system');
}

export function setTheme(next: Theme): void {
  chosen.value = next;
  if (next === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset['theme'] = next;
  }
}
