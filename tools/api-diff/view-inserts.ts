// What the tables behind the views of an API require of an insert: PostgreSQL's catalog of a view contains neither NOT NULL
// nor constraints (`project.md` §3 item 5).
import { getOrInsert } from '../../src/catalog/maps.ts';
import type { BySchema } from '../../src/catalog/schema-cache.ts';
import type { SqlClient } from '../embedded/script/sql-session.ts';
import { BaseColumns } from '../typegen/base-columns.ts';
import type { Constraint } from './api.ts';
import { BASE_TABLES_SQL, INSERTABLE_VIEWS_SQL, VIEW_QUERIES_SQL } from './api-statements.ts';
import { renameIn } from './rename-in.ts';

export interface ViewInserts {
  /** Columns that an insert must give unless the view has a default; undefined if the view lacks one of them. */
  readonly required: ReadonlySet<string> | undefined;
  /** Columns that the table computes. */
  readonly generated: ReadonlySet<string>;
  /** Constraints of the table, in the names of the view. */
  readonly constraints: readonly Constraint[];
}

/** As the statements of this folder return it. */
export interface ConstraintRow extends Omit<Constraint, 'key'> {
  readonly key: readonly string[] | null;
}

export function decodeConstraint({ key, ...constraint }: ConstraintRow): Constraint {
  return { ...constraint, key: key ?? undefined };
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
  readonly columns: Readonly<Record<string, number>>;
  readonly constraints: readonly Constraint[];
}

/** @returns the views that pass inserts on to a table */
export async function readViewInserts(client: SqlClient, schemas: readonly string[]): Promise<BySchema<ViewInserts>> {
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
    const shown = new Map(traced.map(({ column, origin }) => [origin.attribute, column]));
    const isComplete = [...table.required].every((attribute) => shown.has(attribute));
    getOrInsert(found, schema, () => new Map<string, ViewInserts>()).set(name, {
      required: isComplete ? pick(table.required) : undefined,
      generated: pick(table.generated),
      constraints: table.constraints.flatMap((constraint) => showConstraint(constraint, table, shown)),
    });
  }
  return found;
}

/** @param shown columns of the view by attribute of the table @returns nothing if the view shows no column of it */
function showConstraint(
  { name, definition, columns, key }: Constraint,
  { columns: attributes }: BaseTable,
  shown: ReadonlyMap<number, string>,
): readonly Constraint[] {
  const names = new Map(
    columns.flatMap((column) => {
      const other = shown.get(attributes[column] ?? 0);
      return other === undefined ? [] : [[column, other] as const];
    }),
  );
  if (names.size === 0 && columns.length > 0) return [];
  const isWhole = key?.every((column) => names.has(column)) ?? false;
  return [
    {
      name,
      definition: renameIn(definition, names),
      columns: [...names.values()],
      key: isWhole ? key?.map((column) => names.get(column) ?? column) : undefined,
    },
  ];
}

async function readBaseTables(client: SqlClient): Promise<ReadonlyMap<string, BaseTable>> {
  interface Row {
    readonly oid: string;
    readonly required: readonly number[];
    readonly generated: readonly number[];
    readonly columns: BaseTable['columns'];
    readonly constraints: readonly ConstraintRow[];
  }
  const { rows } = await client.query<Row>(BASE_TABLES_SQL);
  return new Map(
    rows.map(({ oid, required, generated, columns, constraints }) => [
      oid,
      {
        required: new Set(required),
        generated: new Set(generated),
        columns,
        constraints: constraints.map(decodeConstraint),
      },
    ]),
  );
}
