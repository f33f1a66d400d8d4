// What the tables behind the views of an API ask of an insert: PostgreSQL knows nothing of NOT NULL in a view (`project.md`
// §3 item 5).
import type { ClientBase } from 'pg';
import { getOrInsert } from '../../src/catalog/maps.ts';
import type { BySchema } from '../../src/catalog/schema-cache.ts';
import { BaseColumns } from '../typegen/base-columns.ts';
import { BASE_TABLES_SQL, INSERTABLE_VIEWS_SQL, VIEW_QUERIES_SQL } from './api-statements.ts';

export interface ViewInserts {
  /** Columns that an insert must give unless the view has a default; undefined if the view lacks one of them. */
  readonly required: ReadonlySet<string> | undefined;
  /** Columns that the table computes. */
  readonly generated: ReadonlySet<string>;
}

interface ViewRow {
  readonly schema: string;
  readonly name: string;
  readonly oid: string;
  readonly columns: Readonly<Record<string, number>>;
}

interface BaseTable {
  readonly required: ReadonlySet<number>;
  readonly generated: ReadonlySet<number>;
}

type Client = Pick<ClientBase, 'query'>;

/** @returns the views that pass inserts on to a table */
export async function readViewInserts(client: Client, schemas: readonly string[]): Promise<BySchema<ViewInserts>> {
  const found = new Map<string, Map<string, ViewInserts>>();
  const views = await client.query<ViewRow>(INSERTABLE_VIEWS_SQL, [schemas]);
  if (views.rows.length === 0) return found;
  const tables = await readBaseTables(client);
  const queries = await client.query<{ oid: string; query: string }>(VIEW_QUERIES_SQL);
  const notNull = new Map([...tables].map(([oid, { required, generated }]) => [oid, { notNull: required, generated }]));
  const origins = new BaseColumns(notNull, new Map(queries.rows.map(({ oid, query }) => [oid, query])));
  for (const { schema, name, oid, columns } of views.rows) {
    const traced = Object.entries(columns).flatMap(([column, attribute]) => {
      const origin = origins.trace({ relation: oid, attribute });
      return origin === undefined ? [] : [{ column, origin }];
    });
    const table = tables.get(traced[0]?.origin.relation ?? '');
    if (table === undefined) continue;
    const pick = (attributes: ReadonlySet<number>): ReadonlySet<string> =>
      new Set(traced.filter(({ origin }) => attributes.has(origin.attribute)).map(({ column }) => column));
    const shown = new Set(traced.map(({ origin }) => origin.attribute));
    const isComplete = [...table.required].every((attribute) => shown.has(attribute));
    getOrInsert(found, schema, () => new Map<string, ViewInserts>()).set(name, {
      required: isComplete ? pick(table.required) : undefined,
      generated: pick(table.generated),
    });
  }
  return found;
}

async function readBaseTables(client: Client): Promise<ReadonlyMap<string, BaseTable>> {
  interface Row {
    readonly oid: string;
    readonly required: readonly number[];
    readonly generated: readonly number[];
  }
  const { rows } = await client.query<Row>(BASE_TABLES_SQL);
  return new Map(
    rows.map(({ oid, required, generated }) => [oid, { required: new Set(required), generated: new Set(generated) }]),
  );
}
