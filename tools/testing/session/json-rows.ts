// Rows of `as.owner` as the API's JSON would contain them.
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { runSql } from '../sql/run-sql.ts';
import type { DescribedRows } from './described-query.ts';
import { decodeValue, isDecodable } from './owner-values.ts';

export type Row = Record<string, unknown>;

/** Types whose input is a text that they printed: not the pseudo-types, nor those of PostgreSQL's own catalogs. */
const FIND_TYPES = `select oid::text, format_type(oid, null) from pg_catalog.pg_type
where oid = any ($1::oid[]) and typtype <> 'p' and typcategory not in ('P', 'X', 'Z')`;

/** Asks PostgreSQL for the JSON of values whose type it knows better: arrays, times, composites. */
export async function toJsonRows(session: Session, { columns, rows }: DescribedRows): Promise<readonly Row[]> {
  const oids = [...new Set(columns.map(({ typeOid }) => typeOid))].filter((oid) => !isDecodable(oid));
  const types = oids.length === 0 || rows.length === 0 ? [] : await runSql(session, FIND_TYPES, [`{${oids.join()}}`]);
  const names = new Map(types.map(([oid, name]) => [Number(oid), name ?? '']));
  const values: (readonly unknown[])[] = [];
  for (const [index, { typeOid }] of columns.entries()) {
    const texts = rows.map((row) => row[index] ?? null);
    const name = names.get(typeOid);
    values.push(
      name === undefined ? texts.map((text) => decodeValue(text, typeOid)) : await convert(session, texts, name),
    );
  }
  return rows.map((_, at) => Object.fromEntries(columns.map(({ name }, index) => [name, values[index]?.[at]])));
}

async function convert(session: Session, texts: readonly (string | null)[], type: string): Promise<readonly unknown[]> {
  const given = texts.filter((text) => text !== null);
  const converted = await runSql(
    session,
    `select pg_catalog.to_json(value::${type})::text from unnest($1::text[]) with ordinality as given (value, place)
     order by place`,
    [renderArrayLiteral(given)],
  );
  const found = converted.map(([json]): unknown => (typeof json === 'string' ? JSON.parse(json) : null)).values();
  return texts.map((text): unknown => (text === null ? null : found.next().value));
}
