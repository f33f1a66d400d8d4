// Decodes rows of the statement `views` into the base-table columns that each view exposes, even through other views
// (`operating.md` §5.5).
import { type CatalogRow, textAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import { parseResultOrigins, type ResultColumnOrigin } from './node-tree.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';

/** Base table oid → its attribute number → attribute numbers of the view's columns that expose it, in view order. */
export type ExposedColumns = ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>;

type ViewOrigins = ReadonlyMap<number, ResultColumnOrigin>;

/** Views of other schemas have no row here, so tracing ends at them. */
export function* traceViews(rows: readonly CatalogRow[]): Slices<ReadonlyMap<string, ExposedColumns>> {
  const views = new Map<string, ViewOrigins>();
  yield* visitInSlices(rows, (row) => {
    const origins = parseResultOrigins(textAt(row, 1));
    views.set(textAt(row, 0), new Map(origins.map((origin) => [origin.column, origin])));
  });
  const exposed = new Map<string, ExposedColumns>();
  yield* visitInSlices(views, ([view, origins]) => {
    exposed.set(view, traceView(origins, views));
  });
  return exposed;
}

function traceView(origins: ViewOrigins, views: ReadonlyMap<string, ViewOrigins>): ExposedColumns {
  const tables = new Map<string, Map<number, number[]>>();
  for (const origin of origins.values()) {
    const base = findBase(origin, views);
    if (base === undefined) continue;
    const columns = getOrInsert(tables, base.originTable, () => new Map<number, number[]>());
    getOrInsert(columns, base.originColumn, () => []).push(origin.column);
  }
  return tables;
}

function findBase(origin: ResultColumnOrigin, views: ReadonlyMap<string, ViewOrigins>): ResultColumnOrigin | undefined {
  let current: ResultColumnOrigin | undefined = origin;
  // Views redefined over one another can form a cycle, but no chain is longer than the number of views.
  for (let steps = 0; steps <= views.size; steps += 1) {
    const view: ViewOrigins | undefined = views.get(current.originTable);
    if (view === undefined) return current;
    current = view.get(current.originColumn);
    if (current === undefined) return undefined;
  }
  return undefined;
}
