// The main part of the page: the content of the place, below a notice of any problem.
import type { VNode } from 'preact';
import type { AccessPage } from '../access/access-page.tsx';
import type { ExplainPage } from '../access/explain-page.tsx';
import type { HistoryPage } from '../history/history-page.tsx';
import type { MapView } from '../map/map-view.tsx';
import type { RecordPage } from '../record/record-page.tsx';
import type { ReferencePage } from '../reference/reference-page.tsx';
import type { SqlPage } from '../sql/sql-page.tsx';
import type { Store } from '../store/store.ts';
import { Deferred } from '../ui/deferred.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { renderPlace } from '../url-state/place.ts';
import type { PageState } from './page-state.ts';
import { pageTitle } from './page-title.ts';
import { RequestPart } from './request-part.tsx';
import { StartPage } from './start-page.tsx';
import { PageProblemNotice } from './page-problem-notice.tsx';

/** Loaded on demand, because it includes a layout library. */
async function loadMap(): Promise<typeof MapView> {
  return (await import('../map/map-view.tsx')).MapView;
}

async function loadSql(): Promise<typeof SqlPage> {
  return (await import('../sql/sql-page.tsx')).SqlPage;
}

async function loadHistory(): Promise<typeof HistoryPage> {
  return (await import('../history/history-page.tsx')).HistoryPage;
}

async function loadRecord(): Promise<typeof RecordPage> {
  return (await import('../record/record-page.tsx')).RecordPage;
}

async function loadReference(): Promise<typeof ReferencePage> {
  return (await import('../reference/reference-page.tsx')).ReferencePage;
}

async function loadAccess(): Promise<typeof AccessPage> {
  return (await import('../access/access-page.tsx')).AccessPage;
}

async function loadExplain(): Promise<typeof ExplainPage> {
  return (await import('../access/explain-page.tsx')).ExplainPage;
}

const START_LINK = (
  <a class="ui-button ui-button-default" href="#">
    Go to the start page
  </a>
);

interface MainPartProps {
  readonly store: Store;
  readonly page: PageState;
}

export function MainPart({ store, page }: MainPartProps): VNode {
  const place = store.place.value;
  const onOpenToken = (): void => {
    page.isTokenOpen.value = true;
  };
  return (
    <main class="ui-stack shell-main" id="main" tabIndex={-1}>
      {place.kind === 'start' && store.schema.value.kind === 'ready' ? null : (
        <h1 class="ui-unseen">{pageTitle(place)}</h1>
      )}
      <PageProblemNotice store={store} onOpenToken={onOpenToken} />
      {store.schema.value.kind === 'failed' ? null : (
        <ErrorBoundary place={renderPlace(place)} wayOn={START_LINK}>
          <Content {...{ store, page, onOpenToken }} />
        </ErrorBoundary>
      )}
    </main>
  );
}

function Content({ store, page, onOpenToken }: MainPartProps & { readonly onOpenToken: () => void }): VNode {
  const place = store.place.value;
  switch (place.kind) {
    case 'start':
      return (
        <StartPage
          store={store}
          isSideDrawer={page.isSideDrawer}
          onOpenToken={onOpenToken}
          onOpenHelp={() => (page.help.value = 'grammar')}
        />
      );
    case 'map':
      return <Deferred load={loadMap} props={{ store }} />;
    case 'sql':
      return <Deferred load={loadSql} props={{ store }} />;
    case 'history':
      return <Deferred load={loadHistory} props={{}} />;
    case 'record':
      return <Deferred key={place.url} load={loadRecord} props={{ store, place }} />;
    case 'reference':
      return <Deferred key={place.url} load={loadReference} props={{ store, place }} />;
    case 'access':
      return <Deferred key={renderPlace(place)} load={loadAccess} props={{ store, place }} />;
    case 'explain':
      return <Deferred key={place.url.split('?', 1)[0]} load={loadExplain} props={{ store, place }} />;
    case 'request':
      return <RequestPart store={store} />;
  }
}
