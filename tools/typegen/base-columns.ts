// Traces a column of a table or view, through views on views, to the table column that it shows.
import { parseUnchangedColumns, type ColumnOrigin } from './view-origins.ts';

/** Sets of attribute numbers. */
export interface BaseTable {
  readonly notNull: ReadonlySet<number>;
  readonly generated: ReadonlySet<number>;
}

export interface BaseColumn {
  readonly isNotNull: boolean;
  readonly isGenerated: boolean;
}

const UNKNOWN: BaseColumn = { isNotNull: false, isGenerated: false };

export class BaseColumns {
  readonly #tables: ReadonlyMap<string, BaseTable>;
  readonly #viewQueries: ReadonlyMap<string, string>;
  readonly #views: Map<string, ReadonlyMap<number, ColumnOrigin>> = new Map();

  /** @param tables by oid; @param viewQueries by oid */
  constructor(tables: ReadonlyMap<string, BaseTable>, viewQueries: ReadonlyMap<string, string>) {
    this.#tables = tables;
    this.#viewQueries = viewQueries;
  }

  find(column: ColumnOrigin): BaseColumn {
    let current: ColumnOrigin | undefined = column;
    // Views that were redefined in terms of each other can form a cycle, but no chain is longer than the number of
    // views.
    for (let steps = 0; current !== undefined && steps <= this.#viewQueries.size; steps += 1) {
      const table = this.#tables.get(current.relation);
      if (table !== undefined) {
        const { attribute } = current;
        return { isNotNull: table.notNull.has(attribute), isGenerated: table.generated.has(attribute) };
      }
      current = this.#originsOf(current.relation).get(current.attribute);
    }
    return UNKNOWN;
  }

  #originsOf(view: string): ReadonlyMap<number, ColumnOrigin> {
    const known = this.#views.get(view);
    if (known !== undefined) return known;
    const query = this.#viewQueries.get(view);
    const origins = query === undefined ? new Map<number, ColumnOrigin>() : parseUnchangedColumns(query);
    this.#views.set(view, origins);
    return origins;
  }
}
