// The result of a function called by its form. Offers no sorting or paging, because that would call the function again.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import { BodyView } from '../result/body-view.tsx';
import { describeResult, type Level, UNKNOWN_LEVEL } from '../rows/describe-level.ts';
import { readBody } from '../rows/read-body.ts';
import { HeaderList, StatusLine } from '../result/status-line.tsx';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Tabs } from '../ui/tabs.tsx';
import { parseUrl } from '../url-state/parse-url.ts';
import '../result/result.css';
import { countRows } from '../rows/pages.ts';

export interface FunctionResultProps {
  readonly store: Store;
  /** URL of the call. */
  readonly url: string;
  readonly response: ReceivedResponse;
}

type View = 'table' | 'json';

const VIEWS = [
  { id: 'table', label: 'Table' },
  { id: 'json', label: 'JSON' },
] as const;

export function FunctionResult({ store, url, response }: FunctionResultProps): VNode {
  const [view, setView] = useState<View>('table');
  const [areHeadersOpen, setHeadersOpen] = useState(false);
  const body = useMemo(() => readBody(response), [response]);
  const schema = store.known.value;
  const level = useMemo(() => describeResponse(url, schema), [url, schema]);
  const place = { kind: 'request', schema: store.place.value.schema, url, view } as const;
  return (
    <section class="ui-stack forms-result" aria-label="Result of the function">
      {body.kind === 'rows' || body.kind === 'value' ? (
        <Tabs label="View of the result" tabs={VIEWS} selected={view} onSelect={setView} />
      ) : null}
      <StatusLine {...{ response, areHeadersOpen }} onHeaders={() => setHeadersOpen(!areHeadersOpen)}>
        {body.kind === 'rows' ? <span>{countRows(body.elements.count)}</span> : null}
      </StatusLine>
      {areHeadersOpen ? <HeaderList response={response} /> : null}
      <BodyView {...{ store, place, body, level }} model={undefined} />
    </section>
  );
}

function describeResponse(url: string, schema: SchemaIndex | undefined): Level {
  const model = parseUrl(url);
  return model.ok ? describeResult(model.value, schema) : UNKNOWN_LEVEL;
}
