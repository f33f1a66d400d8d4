// A response without rows, with suggestions.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { clearConditions, conditionsAt } from '../url-state/edit-conditions.ts';
import { rangeAt, setLimit, setOffset } from '../url-state/edit-ranges.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { ExplainLink } from './explain-link.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';

export interface EmptyViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly model: QueryModel;
}

export function EmptyView({ store, place, model }: EmptyViewProps): VNode {
  const reason = explain(model);
  const { next } = reason;
  const isExplainable = model.path.kind === 'relation' && store.signingKey.value !== undefined;
  return (
    <EmptyState
      icon="search"
      title={reason.title}
      action={
        next === undefined && !isExplainable ? undefined : (
          <>
            {next === undefined ? null : (
              <Button onClick={() => store.go({ ...place, url: renderUrl(next.model) })}>{next.label}</Button>
            )}
            {isExplainable ? <ExplainLink store={store} url={place.url} /> : null}
          </>
        )
      }
    >
      {reason.text}
    </EmptyState>
  );
}

interface Reason {
  readonly title: string;
  readonly text: string;
  readonly next: { readonly label: string; readonly model: QueryModel } | undefined;
}

function explain(model: QueryModel): Reason {
  const range = rangeAt(model, []);
  if (range.limit === 0) {
    const next = { label: 'Show 20 rows', model: setLimit(model, [], 20) };
    return { title: 'No rows requested.', text: 'The limit of this request is 0.', next };
  }
  if ((range.offset ?? 0) > 0) {
    const next = { label: 'Go to the first page', model: setOffset(model, [], undefined) };
    return { title: 'No rows on this page.', text: 'The offset is past the last row.', next };
  }
  if (conditionsAt(model, []).length > 0) {
    const next = { label: 'Remove all filters', model: clearConditions(model, []) };
    return { title: 'No rows match the filters.', text: 'Change a filter in the builder, or show all rows.', next };
  }
  const text =
    model.path.kind === 'function'
      ? 'The function returned no rows. Try other arguments.'
      : 'The relation is empty, or a row-level security policy hides its rows from this role.';
  return { title: 'No rows.', text, next: undefined };
}
