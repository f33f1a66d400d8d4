// The rows of a response as a table; clicking a column head changes the order of the request.
import { useMemo } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import { FacetArea } from '../facets/facet-area.tsx';
import type { Store } from '../store/store.ts';
import { findOrder, isKeyOrder, orderAt, toggleOrder } from '../url-state/edit-order.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import type { Level } from '../rows/describe-level.ts';
import type { LabeledColumn } from '../rows/foreign-labels.ts';
import type { JsonElements } from '../rows/json-elements.ts';
import { ResultTable } from './result-table.tsx';
import type { RowOfLevel } from '../rows/row-links.ts';
import { makeTable, type TableModel } from '../rows/table-model.ts';
import type { ResultTableProps, TableEditing } from './table-props.ts';
import { useForeignLabels } from './use-foreign-labels.ts';

export interface RowsViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly model: QueryModel | undefined;
  readonly level: Level;
  readonly elements: JsonElements;
  /** Undefined if its rows are never amended. */
  readonly response?: ReceivedResponse | undefined;
  readonly rowMenu?: ((row: RowOfLevel) => ComponentChildren) | undefined;
  readonly editing?: TableEditing | undefined;
}

export function RowsView(props: RowsViewProps): VNode {
  const { store, place, model, level, elements, response, rowMenu, editing } = props;
  const plain = useMemo(() => makeTable(elements, level), [elements, level]);
  const labels = useForeignLabels(store, plain);
  const table = useMemo(() => widenLabeled(plain, labels.columns), [plain, labels.columns]);
  const columns = table.columns.map(({ name }) => name).join('\n');
  const label = `Rows of ${model?.path.name ?? 'the response'}`;
  const order = model === undefined ? UNORDERED : orderBy(model, level, (url) => store.go({ ...place, url }));
  const shared = {
    label,
    labels,
    rowMenu,
    editing,
    source: JSON.stringify([place.schema, place.url]),
    response: response?.headers,
    insertedRows: response?.insertedRows ?? 0,
    marks: response?.marks,
    ...order,
    model: table,
    schema: place.schema,
  };
  if (model === undefined) return <ResultTable key={columns} {...shared} />;
  return (
    <FacetArea {...{ store, place, model, table }}>
      {(headMenu) => <ResultTable key={columns} {...shared} headMenu={headMenu} />}
    </FacetArea>
  );
}

/** The gap before a label and most labels. */
const LABEL_PX = 120;

/** Makes room for the labels beside foreign keys, which then are text. */
function widenLabeled(table: TableModel, labeled: readonly LabeledColumn[]): TableModel {
  const names = new Set(labeled.map(({ name }) => name));
  const columns = table.columns.map((column) =>
    names.has(column.name)
      ? { ...column, isNumeric: false, widthPx: Math.max(column.widthPx, column.valuesPx + LABEL_PX) }
      : column,
  );
  return names.size === 0 ? table : { ...table, columns };
}

type Ordering = Pick<ResultTableProps, 'orderOf' | 'onOrder'>;

const UNORDERED: Ordering = { orderOf: () => undefined, onOrder: undefined };

function orderBy(model: QueryModel, level: Level, goTo: (url: string) => void): Ordering {
  return {
    orderOf: ({ info }) => (info?.field === undefined ? undefined : findOrder(model, [], { field: info.field })),
    onOrder({ info }, keepsOthers) {
      if (info?.field === undefined) return;
      const isAdded = keepsOthers && !isKeyOrder(orderAt(model, []), level.relation?.key);
      goTo(renderUrl(toggleOrder(model, [], { field: info.field, keepsOthers: isAdded })));
    },
  };
}
