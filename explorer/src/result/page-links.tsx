// Shows the range of rows and their total, links to the previous and next page, and counts all rows on demand.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { LimitOffset } from '../../../src/request/query/query-params.ts';
import type { ReceivedResponse } from '../client/exchange.ts';
import { headerOf } from '../client/headers.ts';
import type { Store } from '../store/store.ts';
import { rangeAt, setLimit, setOffset } from '../url-state/edit-ranges.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { readLinkedPages } from '../rows/linked-pages.ts';
import { countRows, describeRows, describeRowsShown, totalOf } from '../rows/pages.ts';

export interface PageLinksProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly model: QueryModel;
  readonly response: ReceivedResponse;
  /** Number of rows of the page. */
  readonly count: number;
}

/** A count for the request without its limit and offset, valid for all pages. */
interface Counted {
  readonly of: string;
  /** URL of the page that was shown then. */
  readonly url: string;
  readonly total: number | 'counting' | undefined;
}

export function PageLinks(props: PageLinksProps): VNode {
  const { insertedRows = 0 } = props.response;
  const isKeyset = props.model.params.pages.length > 0;
  return (
    <>
      {props.count === 0 && insertedRows > 0 ? null : isKeyset ? (
        <KeysetLinks {...props} />
      ) : (
        <OffsetLinks {...props} />
      )}
      {insertedRows === 0 ? null : (
        <span class="result-measure" title="Shown on top until you run the request again">
          {insertedRows === 1 ? '1 new row' : `${insertedRows.toLocaleString('en')} new rows`}
        </span>
      )}
    </>
  );
}

function KeysetLinks({ store, place, response, count }: PageLinksProps): VNode {
  const pages = readLinkedPages(headerOf(response, 'link'));
  const [path = ''] = place.url.split('?');
  const turn = (query: string | undefined): (() => void) | undefined =>
    query === undefined ? undefined : () => store.go({ ...place, url: path + query });
  return (
    <>
      <span class="result-measure">{countRows(count)}</span>
      <Turns previous={turn(pages.previous)} next={turn(pages.next)} />
    </>
  );
}

function OffsetLinks({ store, place, model, response, count }: PageLinksProps): VNode {
  const [counted, setCounted] = useState<Counted | undefined>(undefined);
  const of = JSON.stringify([place.schema, renderUrl(setRange(model, NO_RANGE))]);
  const total = counted?.of === of ? counted.total : undefined;
  const rows = describeRows({
    range: rangeAt(model, []),
    count,
    contentRange: headerOf(response, 'content-range'),
    total: total === 'counting' ? undefined : total,
    maxRows: store.known.value?.document.features.maxRows,
  });
  const goTo = (range: LimitOffset): void => store.go({ ...place, url: renderUrl(setRange(model, range)) });
  const countAll = async (): Promise<void> => {
    const { url } = place;
    if (total === undefined) setCounted({ of, url, total: 'counting' });
    const headers = [['Prefer', 'count=exact']] as const;
    const exchange = await store.send({ method: 'HEAD', url, headers, body: undefined });
    const range = exchange.kind === 'answered' ? headerOf(exchange.response, 'content-range') : undefined;
    setCounted({ of, url, total: totalOf(range) });
  };
  useEffect(() => {
    // Rows were written, or the same request was run again. A page that is turned keeps the total.
    if (typeof total === 'number' && counted?.url === place.url) void countAll();
  }, [response.headers, response.insertedRows]);
  const { previous, next } = rows;
  return (
    <>
      <span class="result-measure">{describeRowsShown(rows)}</span>
      {rows.total === undefined && (previous !== undefined || next !== undefined) ? (
        <Button size="small" variant="quiet" disabled={total === 'counting'} onClick={() => void countAll()}>
          {total === 'counting' ? 'Counting…' : 'Count all'}
        </Button>
      ) : null}
      {previous === undefined && next === undefined ? null : (
        <Turns previous={previous && (() => goTo(previous))} next={next && (() => goTo(next))} />
      )}
    </>
  );
}

interface TurnsProps {
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

function Turns({ previous, next }: TurnsProps): VNode {
  return (
    <span class="result-pages">
      <IconButton
        icon="chevronLeft"
        label="Previous page"
        size="small"
        disabled={previous === undefined}
        onClick={() => previous?.()}
      />
      <IconButton
        icon="chevronRight"
        label="Next page"
        size="small"
        disabled={next === undefined}
        onClick={() => next?.()}
      />
    </span>
  );
}

const NO_RANGE: LimitOffset = { limit: undefined, offset: undefined };

function setRange(model: QueryModel, { limit, offset }: LimitOffset): QueryModel {
  return setOffset(setLimit(model, [], limit), [], offset);
}
