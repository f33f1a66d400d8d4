// The whole page: sidebar on the left, request at the top, response in the middle, builder on the right. In a narrow
// window, both sides are drawers.
import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { BasketBar } from '../basket/basket-bar.tsx';
import type { HelpDrawer, HelpTopic } from '../help/help-drawer.tsx';
import type { SaveBar } from '../saves/save-bar.tsx';
import type { Store } from '../store/store.ts';
import { TokenDialog } from '../tokens/token-dialog.tsx';
import { Deferred } from '../ui/deferred.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ToastRegion } from '../ui/toast.tsx';
import { renderPlace } from '../url-state/place.ts';
import { MainPart } from './main-part.tsx';
import { usePageState } from './page-state.ts';
import { pageTitle } from './page-title.ts';
import { BuilderSide, LeftSide } from './sides.tsx';
import { TopBar } from './top-bar.tsx';
import { useDevServer } from './use-dev-server.ts';
import { useFreshSchema } from './use-fresh-schema.ts';
import { useShortcuts } from './use-shortcuts.ts';
import './shell.css';

async function loadHelp(): Promise<typeof HelpDrawer> {
  return (await import('../help/help-drawer.tsx')).HelpDrawer;
}

async function loadSaveBar(): Promise<typeof SaveBar> {
  return (await import('../saves/save-bar.tsx')).SaveBar;
}

export function Shell({ store }: { readonly store: Store }): VNode {
  const page = usePageState();
  useShortcuts(store, page);
  useFreshSchema(store);
  const isDevServer = useDevServer(store);
  useSignalEffect(() => {
    document.title = pageTitle(store.place.value);
  });
  const isRequest = store.place.value.kind === 'request';
  const { value: topic } = page.help;
  const onTopic = (chosen: HelpTopic | undefined): void => void (page.help.value = chosen);
  return (
    <div class="shell">
      <a class="shell-skip" href="#main" onClick={skipToMain}>
        Skip to the response
      </a>
      <LeftSide store={store} page={page} />
      <div class="ui-stack shell-column">
        {isDevServer ? <Deferred load={loadSaveBar} props={{ store }} waiting={null} /> : null}
        <TopBar store={store} page={page} />
        <div class="shell-body">
          <MainPart store={store} page={page} />
          {isRequest ? (
            <ErrorBoundary place={renderPlace(store.place.value)}>
              <BuilderSide store={store} page={page} />
            </ErrorBoundary>
          ) : null}
        </div>
        <BasketBar store={store} />
      </div>
      <TokenDialog store={store} isOpen={page.isTokenOpen.value} onClose={() => (page.isTokenOpen.value = false)} />
      {topic === undefined ? null : <Deferred load={loadHelp} props={{ store, topic, onTopic }} />}
      <ToastRegion />
    </div>
  );
}

/** Moves the focus without changing the fragment, which contains the place. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
