// The response to the current request: as table, JSON, CSV or plan, with its status, and advice for errors and empty
// results.
import { useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { groupedColumns } from '../chart/is-grouped.ts';
import type { Exchange } from '../client/exchange.ts';
import { findGeometryColumns } from '../geo/geojson.ts';
import { readBody } from '../rows/read-body.ts';
import type { Store } from '../store/store.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { RequestPlace, ResultView } from '../url-state/place.ts';
import { Button } from '../ui/button.tsx';
import { Deferred } from '../ui/deferred.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Spinner } from '../ui/text.tsx';
import type { WatchBar } from '../watch/watch-bar.tsx';
import { ResponseView } from './response-view.tsx';
import { DownloadMenu } from './download-menu.tsx';
import type { RowOfLevel } from '../rows/row-links.ts';
import type { TableEditing } from './table-props.ts';
import { RunningView } from './running-view.tsx';
import { useWatch } from './use-watch.ts';
import { WatchButton } from './watch-button.tsx';
import './result.css';

export interface ResultPaneProps {
  readonly store: Store;
  /** Content of the view `plan`. */
  readonly plan?: ComponentChildren;
  /** Further actions, next to the tabs. */
  readonly actions?: ComponentChildren;
  /** Menu shown before each row of the table. */
  readonly rowMenu?: ((row: RowOfLevel) => ComponentChildren) | undefined;
  readonly editing?: TableEditing | undefined;
}

const VIEWS: readonly { readonly id: ResultView; readonly label: string }[] = [
  { id: 'table', label: 'Table' },
  { id: 'json', label: 'JSON' },
  { id: 'csv', label: 'CSV' },
  { id: 'plan', label: 'Plan' },
];

const CHART = { id: 'chart', label: 'Chart' } as const;
const GEO = { id: 'geo', label: 'Map' } as const;

/** Offers a chart of grouped rows, and a map of geometries. */
function listViews({ url, view }: RequestPlace, hasGeometries: boolean): typeof VIEWS {
  const model = parseUrl(url);
  const isGrouped = model.ok && groupedColumns(model.value) !== undefined;
  return [
    ...VIEWS,
    ...(isGrouped || view === 'chart' ? [CHART] : []),
    ...(hasGeometries || view === 'geo' ? [GEO] : []),
  ];
}

function containsGeometries(exchange: Exchange | undefined): boolean {
  if (exchange?.kind !== 'answered' || exchange.response.status >= 300) return false;
  const body = readBody(exchange.response);
  return body.kind === 'rows' && findGeometryColumns(body.text, body.elements).length > 0;
}

/** Loaded on demand. */
async function loadWatch(): Promise<typeof WatchBar> {
  return (await import('../watch/watch-bar.tsx')).WatchBar;
}

const PANEL_ID = 'result-panel';

export function ResultPane({ store, plan, actions, rowMenu, editing }: ResultPaneProps): VNode | null {
  const place = store.place.value;
  const exchange = store.exchange.value;
  const shown = useLastOutcome(place, exchange);
  const hasGeometries = useMemo(() => containsGeometries(shown), [shown]);
  const watch = useWatch(store, shown);
  const { id, isWatching, toggle } = watch;
  if (place.kind !== 'request') return null;
  return (
    <section class="ui-stack result" aria-label="Result">
      <header class="ui-row ui-wrap result-bar">
        <Tabs
          label="View of the result"
          tabs={listViews(place, hasGeometries)}
          selected={place.view}
          controls={PANEL_ID}
          onSelect={(view) => store.go({ ...place, view })}
        />
        <div class="ui-row ui-gap-2">
          <WatchButton {...watch} />
          <DownloadMenu store={store} place={place} exchange={shown} />
          {actions}
        </div>
      </header>
      {isWatching ? <Deferred key={id} load={loadWatch} props={{ ...watch, store, place, onStop: toggle }} /> : null}
      {exchange?.kind === 'running' ? (
        <RunningView key={exchange.startedAt} startedAt={exchange.startedAt} onCancel={() => store.cancel()} />
      ) : null}
      <div
        id={PANEL_ID}
        class="ui-stack result-panel"
        role="tabpanel"
        aria-label={[...VIEWS, CHART, GEO].find(({ id }) => id === place.view)?.label ?? ''}
        aria-busy={exchange?.kind === 'running'}
      >
        {place.view === 'plan' && plan !== undefined ? (
          plan
        ) : (
          <Outcome {...{ store, place, ...(isWatching ? READ_ONLY : { rowMenu, editing }) }} exchange={shown} />
        )}
      </div>
    </section>
  );
}

/** Rows that move while they are edited would be confused. */
const READ_ONLY = { rowMenu: undefined, editing: undefined } as const;

/** Keeps the previous response while a request is in flight, if it has the same relation and view. */
function useLastOutcome(place: Store['place']['value'], exchange: Exchange | undefined): Exchange | undefined {
  const last = useRef<{ readonly key: string; readonly exchange: Exchange } | undefined>(undefined);
  const key =
    place.kind === 'request' ? JSON.stringify([place.view === 'csv', place.schema, place.url.split('?')[0]]) : '';
  if (exchange !== undefined && exchange.kind !== 'running') last.current = { key, exchange };
  return last.current?.key === key ? last.current.exchange : undefined;
}

interface OutcomeProps extends Pick<ResultPaneProps, 'store' | 'rowMenu' | 'editing'> {
  readonly place: RequestPlace;
  readonly exchange: Exchange | undefined;
}

function Outcome({ store, place, rowMenu, editing, exchange }: OutcomeProps): VNode | null {
  const [areHeadersOpen, setHeadersOpen] = useState(false);
  if (exchange === undefined) return store.exchange.value === undefined ? <NoRequest store={store} /> : null;
  if (exchange.kind === 'running') return null;
  if (exchange.kind === 'failed') return <Failed store={store} reason={exchange.reason} />;
  const onHeaders = (): void => setHeadersOpen(!areHeadersOpen);
  return (
    <ResponseView {...{ store, place, rowMenu, editing, areHeadersOpen, onHeaders }} response={exchange.response} />
  );
}

function NoRequest({ store }: Pick<OutcomeProps, 'store'>): VNode {
  if (store.schema.value.kind === 'loading') {
    return (
      <div class="result-notice">
        <Spinner label="Loading the schema" />
      </div>
    );
  }
  return (
    <EmptyState icon="play" title="No request yet.">
      Enter the required arguments above, then run the function.
    </EmptyState>
  );
}

function Failed({ store, reason }: Pick<OutcomeProps, 'store'> & { readonly reason: 'network' | 'cancelled' }): VNode {
  const again = (
    <Button icon="refresh" onClick={() => store.run()}>
      Run again
    </Button>
  );
  return (
    <div class="result-notice">
      {reason === 'cancelled' ? (
        <Notice tone="info" title="The request was cancelled." action={again} />
      ) : (
        <Notice
          tone="danger"
          title="The server does not respond."
          hint="Check that the server is running and that this computer can connect to it."
          action={again}
        />
      )}
    </div>
  );
}
