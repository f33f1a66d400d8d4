// The body of a response by kind: rows, a value, text, bytes, or empty.
import type { ComponentChildren, VNode } from 'preact';
import type { ChartView } from '../chart/chart-view.tsx';
import type { ReceivedResponse } from '../client/exchange.ts';
import type { GeoView } from '../geo/geo-view.tsx';
import type { Store } from '../store/store.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { Deferred } from '../ui/deferred.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { BinaryView } from './binary-view.tsx';
import type { Level } from '../rows/describe-level.ts';
import { EmptyView } from './empty-view.tsx';
import { JsonView } from './json-view.tsx';
import type { Body } from '../rows/read-body.ts';
import type { RowOfLevel } from '../rows/row-links.ts';
import type { TableEditing } from './table-props.ts';
import { RowsView } from './rows-view.tsx';
import { TextView } from './text-view.tsx';
import { ValueView } from './value-view.tsx';

/** Loaded on demand. */
async function loadChart(): Promise<typeof ChartView> {
  return (await import('../chart/chart-view.tsx')).ChartView;
}

/** Loaded on demand. */
async function loadGeo(): Promise<typeof GeoView> {
  return (await import('../geo/geo-view.tsx')).GeoView;
}

export interface BodyViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly body: Body;
  /** Undefined if the request cannot be changed, so that there is no sorting and filtering. */
  readonly model: QueryModel | undefined;
  readonly level: Level;
  /** Undefined if its rows are never amended. */
  readonly response?: ReceivedResponse | undefined;
  readonly rowMenu?: ((row: RowOfLevel) => ComponentChildren) | undefined;
  readonly editing?: TableEditing | undefined;
}

export function BodyView(props: BodyViewProps): VNode {
  const { place, body, level } = props;
  switch (body.kind) {
    case 'rows':
      return place.view === 'json' ? <JsonView text={body.text} /> : <Rows {...props} body={body} />;
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
      return <BinaryView content={body.content} type={body.type} url={place.url} />;
    case 'nothing':
      return (
        <EmptyState icon="check" title="Done.">
          The response is empty.
        </EmptyState>
      );
  }
}

function Rows(props: BodyViewProps & { readonly body: Extract<Body, { kind: 'rows' }> }): VNode {
  const { store, place, body, model, level, response, rowMenu, editing } = props;
  const { elements, text } = body;
  if (elements.count > 0 && place.view === 'chart')
    return <Deferred load={loadChart} props={{ store, model, level, elements }} />;
  if (elements.count > 0 && place.view === 'geo')
    return <Deferred load={loadGeo} props={{ text, elements, level, schema: place.schema }} />;
  if (elements.count > 0) return <RowsView {...{ store, place, model, level, response, rowMenu, editing, elements }} />;
  if (model !== undefined) return <EmptyView {...{ store, place, model }} />;
  return (
    <EmptyState icon="check" title="Done.">
      It returned no rows.
    </EmptyState>
  );
}
