// Writes as data, and their effect on a table that is a list in memory: the specification again, without a database.

export type Value = string | number | null;
/** The columns of `api.items`: two keys, and a default for each column but the last. */
export const COLUMNS = ['id', 'code', 'qty', 'note'] as const;
export type Column = (typeof COLUMNS)[number];
export type Item = Readonly<Record<Column, Value>>;
const DEFAULTS: Item = { id: 50, code: 'dft', qty: 7, note: null };
const UNIQUE: readonly Column[] = ['id', 'code'];

export interface Insert {
  readonly kind: 'insert';
  readonly rows: readonly Partial<Item>[];
  /** The column set (`writing.md` §3.2); other columns take their defaults. */
  readonly columns: readonly Column[];
  /** `missing=default`: columns of the set that a row lacks take their defaults as well. */
  readonly isDefaulting: boolean;
  readonly resolution: 'merge' | 'ignore' | undefined;
  readonly target: Column;
}

export interface Put {
  readonly kind: 'put';
  readonly id: number;
  readonly rows: readonly Partial<Item>[];
  readonly columns: readonly Column[];
}

export interface Update {
  readonly kind: 'update';
  readonly filter: Filter;
  readonly values: Partial<Item>;
}

export interface Delete {
  readonly kind: 'delete';
  readonly filter: Filter;
}

export interface Filter {
  readonly column: Column;
  readonly operator: 'eq' | 'gt' | 'lte';
  readonly value: string | number;
}

export type Change = Insert | Put | Update | Delete;

/** An error code, or the contents of the table afterwards and the returned rows. */
export type Effect =
  | string
  | { readonly items: readonly Item[]; readonly shown: readonly Item[]; readonly inserted: number };

/** Which of these errors PostgreSQL reports first depends on its execution order. */
export const CONSTRAINT_CODES: ReadonlySet<string> = new Set(['21000', '23502', '23505']);

export function applyChange(items: readonly Item[], change: Change): Effect {
  switch (change.kind) {
    case 'insert':
      return insert(items, change);
    case 'put': {
      const rows = change.rows.filter(({ id }) => id === change.id);
      const upsert = {
        ...change,
        kind: 'insert',
        rows,
        isDefaulting: false,
        resolution: 'merge',
        target: 'id',
      } as const;
      const effect = insert(items, upsert);
      return typeof effect === 'string' || effect.shown.length === 1 ? effect : 'SVC115';
    }
    case 'update': {
      if (Object.keys(change.values).length === 0) return { items, shown: [], inserted: 0 };
      const updated = new Map(
        items.filter(matches(change.filter)).map((item) => [item, { ...item, ...change.values }]),
      );
      return { items: items.map((item) => updated.get(item) ?? item), shown: [...updated.values()], inserted: 0 };
    }
    case 'delete': {
      const isHit = matches(change.filter);
      return { items: items.filter((item) => !isHit(item)), shown: items.filter(isHit), inserted: 0 };
    }
  }
}

function matches({ column, operator, value }: Filter): (item: Item) => boolean {
  return (item) => {
    const own = item[column];
    if (own === null) return false;
    return operator === 'eq' ? own === value : operator === 'gt' ? own > value : own <= value;
  };
}

function insert(items: readonly Item[], { rows, columns, isDefaulting, resolution, target }: Insert): Effect {
  const table = [...items];
  /** Rows written by this statement: none of them may change twice. */
  const fresh = new Set<Item>();
  const shown: Item[] = [];
  let inserted = 0;
  for (const row of rows) {
    const candidate = complete(row, columns, isDefaulting);
    if (candidate.id === null) return '23502';
    const known = resolution && table.find((item) => item[target] !== null && item[target] === candidate[target]);
    // With no columns to set, there is nothing to merge.
    if (known && (resolution === 'ignore' || columns.length === 0)) continue;
    if (known && fresh.has(known)) return '21000';
    const item = known ? { ...known, ...pick(candidate, columns) } : candidate;
    if (table.some((other) => other !== known && isSameKey(other, item))) return '23505';
    table.splice(known ? table.indexOf(known) : table.length, known ? 1 : 0, item);
    fresh.add(item);
    shown.push(item);
    if (!known) inserted += 1;
  }
  return { items: table, shown, inserted };
}

function complete(row: Partial<Item>, columns: readonly Column[], isDefaulting: boolean): Item {
  const valueOf = (column: Column): Value => {
    if (!columns.includes(column)) return DEFAULTS[column];
    return row[column] === undefined ? (isDefaulting ? DEFAULTS[column] : null) : row[column];
  };
  return { id: valueOf('id'), code: valueOf('code'), qty: valueOf('qty'), note: valueOf('note') };
}

function pick(item: Item, columns: readonly Column[]): Partial<Item> {
  return Object.fromEntries(columns.map((column) => [column, item[column]]));
}

function isSameKey(a: Item, b: Item): boolean {
  return UNIQUE.some((column) => a[column] !== null && a[column] === b[column]);
}
