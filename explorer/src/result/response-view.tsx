// A response: its status line and body, or why there is none.
import { useMemo } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { BodyView } from './body-view.tsx';
import { describeResult, UNKNOWN_LEVEL } from '../rows/describe-level.ts';
import { ErrorView } from './error-view.tsx';
import { PageLinks } from './page-links.tsx';
import { readBody } from '../rows/read-body.ts';
import type { RowOfLevel } from '../rows/row-links.ts';
import type { TableEditing } from './table-props.ts';
import { HeaderList, StatusLine } from './status-line.tsx';

export interface ResponseViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly response: ReceivedResponse;
  readonly rowMenu: ((row: RowOfLevel) => ComponentChildren) | undefined;
  readonly editing: TableEditing | undefined;
  readonly areHeadersOpen: boolean;
  readonly onHeaders: () => void;
}

export function ResponseView(props: ResponseViewProps): VNode {
  const { store, place, response, rowMenu, editing, areHeadersOpen } = props;
  const isError = response.status >= 300;
  const body = useMemo(() => readBody(response), [response]);
  const schema = store.known.value;
  const model = useMemo(() => readModel(place.url), [place.url]);
  const level = useMemo(() => (model === undefined ? UNKNOWN_LEVEL : describeResult(model, schema)), [model, schema]);
  return (
    <>
      <StatusLine {...props}>
        {body.kind === 'rows' && model !== undefined && !isError ? (
          <PageLinks
            {...{ store, place, model, response }}
            count={body.elements.count - (response.insertedRows ?? 0)}
          />
        ) : null}
      </StatusLine>
      {areHeadersOpen ? <HeaderList response={response} /> : null}
      {isError ? (
        <ErrorView {...{ store, place, response }} />
      ) : (
        <BodyView {...{ store, place, response, body, model, level, rowMenu, editing }} />
      )}
    </>
  );
}

/** Returns undefined if the explorer cannot parse the URL. */
function readModel(url: string): QueryModel | undefined {
  const model = parseUrl(url);
  return model.ok ? model.value : undefined;
}
