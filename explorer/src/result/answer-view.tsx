// An answer by its kind: rows, a value, text, an error, nothing.
import { useMemo } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { EmptyState } from '../ui/notice.tsx';
import { describeResult, type Level, UNKNOWN_LEVEL } from './describe-level.ts';
import { EmptyView } from './empty-view.tsx';
import { ErrorView } from './error-view.tsx';
import { JsonView } from './json-view.tsx';
import { PageLinks } from './page-links.tsx';
import { type Body, readBody } from './read-body.ts';
import type { RowOfLevel } from './row-links.ts';
import { RowsView } from './rows-view.tsx';
import { HeaderList, StatusLine } from './status-line.tsx';
import { TextView } from './text-view.tsx';
import { ValueView } from './value-view.tsx';

export interface AnswerViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly response: ReceivedResponse;
  readonly rowMenu: ((row: RowOfLevel) => ComponentChildren) | undefined;
  readonly areHeadersOpen: boolean;
  readonly onHeaders: () => void;
}

export function AnswerView(props: AnswerViewProps): VNode {
  const { store, place, response, areHeadersOpen } = props;
  const isError = response.status >= 300;
  const body = useMemo(() => readBody(response), [response]);
  const loaded = store.schema.value;
  const schema = loaded.kind === 'ready' ? loaded.value : undefined;
  const model = useMemo(() => readModel(place.url), [place.url]);
  const level = useMemo(() => (model === undefined ? UNKNOWN_LEVEL : describeResult(model, schema)), [model, schema]);
  return (
    <>
      <StatusLine {...props}>
        {body.kind === 'rows' && model !== undefined && !isError ? (
          <PageLinks {...{ store, place, model, response }} count={body.elements.count} />
        ) : null}
      </StatusLine>
      {areHeadersOpen ? <HeaderList response={response} /> : null}
      {isError ? <ErrorView {...{ store, place, response }} /> : <BodyView {...props} {...{ body, model, level }} />}
    </>
  );
}

/** undefined where the server alone can read it. */
function readModel(url: string): QueryModel | undefined {
  const model = parseUrl(url);
  return model.ok ? model.value : undefined;
}

interface BodyViewProps extends AnswerViewProps {
  readonly body: Body;
  readonly model: QueryModel | undefined;
  readonly level: Level;
}

function BodyView(props: BodyViewProps): VNode {
  const { store, place, body, model, level } = props;
  switch (body.kind) {
    case 'rows':
      if (place.view === 'json') return <JsonView text={body.text} />;
      if (body.elements.count === 0 && model !== undefined) return <EmptyView {...{ store, place, model }} />;
      return <RowsView {...props} elements={body.elements} />;
    case 'value':
      if (place.view === 'json') return <JsonView text={body.text} />;
      return (
        <div class="result-single">
          <ValueView value={body.value} level={level} schema={place.schema} />
        </div>
      );
    case 'plan':
      return <JsonView text={body.text} />;
    case 'csv':
    case 'text':
      return <TextView text={body.text} label={body.type} />;
    case 'binary':
      return (
        <EmptyState icon="code" title="The answer is not text.">
          It is of the type {body.type || 'unknown'}. Copy the request as curl and save it with --output.
        </EmptyState>
      );
    case 'nothing':
      return (
        <EmptyState icon="check" title="Done.">
          The answer has no content.
        </EmptyState>
      );
  }
}
