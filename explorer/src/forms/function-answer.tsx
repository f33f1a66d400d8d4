// What a function gave back that was called by its form: as the answer to a request is shown, but nothing of it orders or
// turns pages, for that would call the function again.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import { BodyView } from '../result/body-view.tsx';
import { describeResult } from '../result/describe-level.ts';
import { readBody } from '../result/read-body.ts';
import { HeaderList, StatusLine } from '../result/status-line.tsx';
import type { Store } from '../store/store.ts';
import { Tabs } from '../ui/tabs.tsx';
import { createModel, type RequestPath } from '../url-state/query-model.ts';
import { renderRequestPath } from '../url-state/render-url.ts';
import '../result/result.css';

export interface FunctionAnswerProps {
  readonly store: Store;
  /** Of the function. */
  readonly name: string;
  readonly response: ReceivedResponse;
}

type View = 'table' | 'json';

const VIEWS = [
  { id: 'table', label: 'Table' },
  { id: 'json', label: 'JSON' },
] as const;

export function FunctionAnswer({ store, name, response }: FunctionAnswerProps): VNode {
  const [view, setView] = useState<View>('table');
  const [areHeadersOpen, setHeadersOpen] = useState(false);
  const body = useMemo(() => readBody(response), [response]);
  const loaded = store.schema.value;
  const schema = loaded.kind === 'ready' ? loaded.value : undefined;
  const path: RequestPath = { kind: 'function', name };
  const level = useMemo(() => describeResult(createModel({ kind: 'function', name }), schema), [name, schema]);
  const place = { kind: 'request', schema: store.place.value.schema, url: renderRequestPath(path), view } as const;
  return (
    <section class="forms-result" aria-label="What it gave back">
      {body.kind === 'rows' || body.kind === 'value' ? (
        <Tabs label="View of what it gave back" tabs={VIEWS} selected={view} onSelect={setView} />
      ) : null}
      <StatusLine {...{ response, areHeadersOpen }} onHeaders={() => setHeadersOpen(!areHeadersOpen)}>
        {body.kind === 'rows' ? <span>{describeCount(body.elements.count)}</span> : null}
      </StatusLine>
      {areHeadersOpen ? <HeaderList response={response} /> : null}
      <BodyView {...{ store, place, body, level }} model={undefined} />
    </section>
  );
}

function describeCount(count: number): string {
  return count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`;
}
