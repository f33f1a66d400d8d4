// The tables below a view: who reads them, and which of its columns are their keys.
import { type QualifiedName } from '../../../src/contract/identifiers.ts';
import { parseResultOrigins } from '../../../src/catalog/view-columns.ts';
import { isJsonObject, parseJsonObject } from '../../../src/util/json-object.ts';
import type { Probe } from './probe.ts';

export interface BaseTable {
  readonly name: QualifiedName;
  /** Whose privileges and policies count. */
  readonly reader: string;
  /** Columns of its key, each with the column of the view that shows it; empty: the view does not show them all. */
  readonly key: readonly (readonly [shown: string, own: string])[];
}

export interface ViewBody {
  /** A query, to be put into FROM. */
  readonly source: string;
  readonly tables: readonly BaseTable[];
  /** Whether other views lie between it and some of its tables. */
  readonly isNested: boolean;
}

const TREE_SQL = `
WITH RECURSIVE reached (oid, reader, depth) AS (
  SELECT class.oid, $3::name, 0 FROM pg_catalog.pg_class AS class
  JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
  WHERE space.nspname = $1 AND class.relname = $2
  UNION
  SELECT depend.refobjid, CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_options_to_table(class.reloptions)
      WHERE option_name = 'security_invoker' AND option_value::boolean)
    THEN reached.reader ELSE pg_catalog.pg_get_userbyid(class.relowner) END, reached.depth + 1
  FROM reached
  JOIN pg_catalog.pg_class AS class ON class.oid = reached.oid AND class.relkind = 'v'
  JOIN pg_catalog.pg_rewrite AS rewrite ON rewrite.ev_class = class.oid
  JOIN pg_catalog.pg_depend AS depend
    ON depend.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND depend.objid = rewrite.oid
    AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid <> class.oid
  WHERE reached.depth < 8
)
SELECT pg_catalog.json_build_object('schema', space.nspname, 'name', class.relname, 'oid', class.oid::text,
  'reader', reached.reader, 'depth', reached.depth,
  'source', CASE WHEN reached.depth = 0 THEN pg_catalog.pg_get_viewdef(class.oid) END,
  'tree', CASE WHEN reached.depth = 0 THEN (SELECT ev_action::text FROM pg_catalog.pg_rewrite WHERE ev_class = class.oid) END,
  'columns', (SELECT pg_catalog.json_object_agg(attnum, attname) FROM pg_catalog.pg_attribute
    WHERE attrelid = class.oid AND attnum > 0),
  'key', (SELECT indkey::int2[] FROM pg_catalog.pg_index WHERE indrelid = class.oid AND indisprimary))::text
FROM reached JOIN pg_catalog.pg_class AS class ON class.oid = reached.oid
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
WHERE class.relkind <> 'v' OR reached.depth = 0
ORDER BY reached.depth, space.nspname, class.relname`;

/** @returns undefined if it cannot be read */
export async function readViewBody(
  { schema, name }: QualifiedName,
  role: string,
  probe: Probe,
): Promise<ViewBody | undefined> {
  const reply = await probe.read({ text: TREE_SQL, parameters: [schema, name, role] });
  const [view, ...tables] = reply.ok ? reply.value.map(([text]) => parseJsonObject(text ?? '') ?? {}) : [];
  if (view === undefined || typeof view['source'] !== 'string') return undefined;
  const origins = parseResultOrigins(String(view['tree']));
  const nameOf = (columns: unknown, number: number): string =>
    isJsonObject(columns) ? String(columns[String(number)]) : '';
  return {
    source: `(${view['source'].replace(/;\s*$/u, '')})`,
    isNested: tables.some(({ depth }) => Number(depth) > 1),
    tables: tables.map(({ schema: space, name: table, oid, reader, columns, key }) => {
      const numbers = Array.isArray(key) ? key.map(Number) : [];
      const pairs = numbers.flatMap((number) => {
        const origin = origins.find((one) => one.originTable === oid && one.originColumn === number);
        return origin === undefined ? [] : [[nameOf(view['columns'], origin.column), nameOf(columns, number)] as const];
      });
      return {
        name: { schema: String(space), name: String(table) },
        reader: String(reader),
        key: pairs.length === numbers.length ? pairs : [],
      };
    }),
  };
}
