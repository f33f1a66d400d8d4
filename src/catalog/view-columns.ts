// Decodes rows of the statement `views` into the base-table columns that each view exposes, even through other views
// (`operating.md` §5.5).
import { type CatalogRow, textAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
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

interface ResultColumnOrigin {
  /** Attribute number of the view's column. */
  readonly column: number;
  readonly originTable: string;
  readonly originColumn: number;
}

/** Nesting depth of the tokens in `({QUERY … :targetList ({TARGETENTRY … :resorigtbl 1 …} …) …})`. */
const DEPTH = { targetList: 3, targetEntry: 4 };
const [BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_NODE, CLOSE_NODE] = [0x5c, 0x28, 0x29, 0x7b, 0x7d];
const TARGET_LIST_KEY = ':targetList ';
const ENTRY_TAIL = / :resno (\d+) .* :resorigtbl (\d+) :resorigcol (\d+) :resjunk false$/s;

/**
 * Parses the node tree of a view's query (`pg_rewrite.ev_action`) to find the origins of its result columns.
 * PostgreSQL records an origin for every result column that is an unchanged column of a table, even through joins,
 * sub-selects and common table expressions, but not through other views. Scans the text once. Names cannot be mistaken
 * for structure: PostgreSQL escapes every blank, parenthesis and brace within a token with a backslash.
 */
export function parseResultOrigins(nodeTree: string): readonly ResultColumnOrigin[] {
  const origins: ResultColumnOrigin[] = [];
  let depth = 0;
  let isTargetList = false;
  let tailStart = 0;
  for (let at = 0; at < nodeTree.length; at += 1) {
    const character = nodeTree.charCodeAt(at);
    if (character === BACKSLASH) {
      at += 1;
    } else if (character === OPEN_LIST || character === OPEN_NODE) {
      depth += 1;
      if (depth === DEPTH.targetList) isTargetList = nodeTree.endsWith(TARGET_LIST_KEY, at);
      if (depth === DEPTH.targetEntry) tailStart = at;
    } else if (character === CLOSE_LIST || character === CLOSE_NODE) {
      // The entry's expression ends here; what remains of the entry are its own scalar fields.
      if (depth === DEPTH.targetEntry + 1) tailStart = at;
      if (depth === DEPTH.targetEntry && isTargetList) origins.push(...parseTail(nodeTree.slice(tailStart, at)));
      depth -= 1;
    }
  }
  return origins;
}

/** Returns no origin for junk (hidden sort columns), expressions (table 0) and system columns (negative numbers). */
function parseTail(tail: string): readonly ResultColumnOrigin[] {
  const [, column, originTable, originColumn] = ENTRY_TAIL.exec(tail) ?? [];
  if (column === undefined || originTable === undefined || originTable === '0') return [];
  return [{ column: Number(column), originTable, originColumn: Number(originColumn) }];
}
