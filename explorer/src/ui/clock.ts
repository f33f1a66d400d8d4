// The current time in whole seconds, for countdowns.
import { signal, type ReadonlySignal } from '@preact/signals';

const now = signal(currentSeconds());
setInterval(() => (now.value = currentSeconds()), 1000);

export const nowSeconds: ReadonlySignal<number> = now;

function currentSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
