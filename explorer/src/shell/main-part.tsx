// The middle of the page: what the place shows, and above it what stands in the way.
import type { VNode } from 'preact';
import { CopyMenu } from '../copy/copy-menu.tsx';
import { PlanView } from '../plan/plan-view.tsx';
import { ResultPane } from '../result/result-pane.tsx';
import type { Store } from '../store/store.ts';
import type { PageState } from './page-state.ts';
import { StartPage } from './start-page.tsx';
import { TroubleNotice } from './trouble-notice.tsx';

export function MainPart({ store, page }: { readonly store: Store; readonly page: PageState }): VNode {
  const onOpenToken = (): void => {
    page.isTokenOpen.value = true;
  };
  const onOpenHelp = (): void => {
    page.help.value = 'grammar';
  };
  return (
    <main class="shell-main" id="main" tabIndex={-1}>
      <TroubleNotice store={store} onOpenToken={onOpenToken} />
      <ResultPane store={store} plan={<PlanView store={store} />} actions={<CopyMenu store={store} />} />
      {store.place.value.kind === 'start' ? <StartPage {...{ store, onOpenToken, onOpenHelp }} /> : null}
    </main>
  );
}
