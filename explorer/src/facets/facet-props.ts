// What the parts of a facet panel get.
import type { Field } from '../../../src/request/query/query-params.ts';
import type { TableColumn, TableModel } from '../rows/table-model.ts';
import type { Store } from '../store/store.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';

export interface FacetPanelProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly model: QueryModel;
  readonly table: TableModel;
  readonly column: TableColumn;
  readonly onClose: () => void;
}

export interface FacetPartProps extends FacetPanelProps {
  readonly field: Field;
  readonly apply: (model: QueryModel) => void;
}
