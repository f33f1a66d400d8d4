// The whole page: what there is on the left, the request on top, its answer in the middle, the builder on the right.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { IconButton } from '../ui/button.tsx';
import { ToastRegion } from '../ui/toast.tsx';
import './shell.css';

export function Shell({ store }: { readonly store: Store }): VNode {
  const isBuilderOpen = useSignal(true);
  const place = store.place.value;
  return (
    <div class="shell" data-builder={isBuilderOpen.value && place.kind === 'request'}>
      <a class="shell-skip" href="#shell-main" onClick={skipToMain}>
        Skip to the answer
      </a>
      <nav class="shell-side" aria-label="Relations and functions" />
      <div class="shell-column">
        <header class="shell-top">
          <div class="shell-request" />
          <IconButton
            icon="panel"
            label="Builder"
            aria-pressed={isBuilderOpen.value}
            onClick={() => (isBuilderOpen.value = !isBuilderOpen.value)}
          />
        </header>
        <div class="shell-body">
          <main class="shell-main" id="shell-main" tabIndex={-1} />
          <aside class="shell-builder" aria-label="Builder" />
        </div>
      </div>
      <ToastRegion />
    </div>
  );
}

/** The address belongs to the place: a fragment may not be put there. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('shell-main')?.focus();
}
