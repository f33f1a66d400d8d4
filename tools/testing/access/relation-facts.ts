// What must be known of a relation to try its rows.
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { isJsonObject } from '../../../src/util/json-object.ts';
import type { Row } from '../session/json-rows.ts';
import type { SessionTransaction } from '../session/session-transactions.ts';

export interface RelationFacts {
  readonly schema: string;
  readonly name: string;
  /** Columns of the primary key; none: rows cannot be told apart. */
  readonly keys: readonly string[];
  /** All of them, as the owner sees them. */
  readonly rows: readonly Row[];
}

/** The columns that a role may write. */
export interface WritableColumns {
  readonly insertable: readonly string[];
  readonly updatable: readonly string[];
}

/** Each row takes some requests. */
const MAX_ROWS = 200;

const RELATION_SQL = `
select n.nspname as schema, coalesce((
  select json_agg(a.attname order by k.place) from pg_index as i, unnest(i.indkey) with ordinality as k (number, place)
  join pg_attribute as a on a.attnum = k.number
  where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
), '[]') as keys
from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
where c.relname = $2 and n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
order by array_position($1::text[], n.nspname::text) limit 1`;

const COLUMNS_SQL = `
select attname as name, has_column_privilege($2, attrelid, attnum, 'insert') as is_insertable,
  has_column_privilege($2, attrelid, attnum, 'update') as is_updatable
from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a'
order by attnum`;

/** Throws for a relation that does not exist, or has no rows or too many. */
export async function readRelation({ transaction, schemas }: SessionTransaction, name: string): Promise<RelationFacts> {
  const [relation] = await transaction.runAsOwner([
    { text: RELATION_SQL, parameters: [renderArrayLiteral(schemas), name] },
  ]);
  if (relation === undefined) throw new Error(`There is no relation ${name} in ${schemas.join(', ')}.`);
  const schema = String(relation['schema']);
  const keys = Array.isArray(relation['keys']) ? relation['keys'].map(String) : [];
  const order = keys.length === 0 ? '' : ` order by ${keys.map(quoteIdentifier).join(', ')}`;
  const text = `select to_jsonb(t) as "row" from (select * from ${qualify(schema, name)}${order} limit ${MAX_ROWS + 1}) as t`;
  const found = await transaction.runAsOwner([{ text, parameters: [] }]);
  if (found.length === 0)
    throw new Error(`${name} has no rows, so nothing would be proved. Prepare some with as.owner.`);
  if (found.length > MAX_ROWS) throw new Error(`${name} has more than ${MAX_ROWS} rows. Prepare fewer.`);
  return { schema, name, keys, rows: found.map(({ row }) => row).filter(isJsonObject) };
}

export async function readColumns(
  { transaction }: SessionTransaction,
  { schema, name }: RelationFacts,
  role: string,
): Promise<WritableColumns> {
  const columns = await transaction.runAsOwner([{ text: COLUMNS_SQL, parameters: [qualify(schema, name), role] }]);
  const listBy = (field: string): readonly string[] =>
    columns.filter((column) => column[field] === true).map((column) => String(column['name']));
  return { insertable: listBy('is_insertable'), updatable: listBy('is_updatable') };
}

function qualify(schema: string, name: string): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
