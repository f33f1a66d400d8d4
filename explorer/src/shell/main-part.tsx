// The middle of the page: what the place shows, and above it what stands in the way.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import type { PageState } from './page-state.ts';
import { pageTitle } from './page-title.ts';
import { StartPage } from './start-page.tsx';
import { TroubleNotice } from './trouble-notice.tsx';

export function MainPart({ store, page }: { readonly store: Store; readonly page: PageState }): VNode {
  const onOpenToken = (): void => {
    page.isTokenOpen.value = true;
  };
  const onOpenHelp = (): void => {
    page.help.value = 'grammar';
  };
  const place = store.place.value;
  return (
    <main class="shell-main" id="main" tabIndex={-1}>
      {place.kind === 'start' ? null : <h1 class="ui-unseen">{pageTitle(place)}</h1>}
      <TroubleNotice store={store} onOpenToken={onOpenToken} />
      {place.kind === 'start' ? <StartPage {...{ store, onOpenToken, onOpenHelp }} /> : null}
    </main>
  );
}
