// An answer without rows: says so, and what to try.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { clearConditions, conditionsAt } from '../url-state/edit-conditions.ts';
import { rangeAt, setLimit, setOffset } from '../url-state/edit-ranges.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
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
  return (
    <EmptyState
      icon="search"
      title={reason.title}
      action={
        next === undefined ? undefined : (
          <Button onClick={() => store.go({ ...place, url: renderUrl(next.model) })}>{next.label}</Button>
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
    return { title: 'No rows were asked for.', text: 'The limit of this request is 0.', next };
  }
  if ((range.offset ?? 0) > 0) {
    const next = { label: 'To the first page', model: setOffset(model, [], undefined) };
    return { title: 'There are no rows on this page.', text: 'The offset is behind the last row.', next };
  }
  if (conditionsAt(model, []).length > 0) {
    const next = { label: 'Remove all filters', model: clearConditions(model, []) };
    return { title: 'No row fits the filters.', text: 'Change one of them in the builder, or see all rows.', next };
  }
  const text =
    model.path.kind === 'function'
      ? 'The function returned none; other arguments may give some.'
      : 'It is empty, or a policy of the database hides its rows from this role.';
  return { title: 'There are no rows.', text, next: undefined };
}
