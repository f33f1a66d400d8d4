// The form of the queries that read facts from the catalogs, and the tables that they share.

import { CITUS } from '../object-id.ts';

/** Names of extensions that are no part of a schema, for `in`. */
export const LEFT_OUT: string = CITUS.map((name) => `'${name}'`).join(', ');

export interface FactQuery {
  /** SQL expressions over the rows of `from`. A row whose value is null is no fact. */
  readonly name: string;
  readonly value: string;
  readonly from: string;
  readonly isPrinted?: true;
  readonly isObject?: true;
  /** Expressions for statements, if a statement sets it and no plan of the library does. Null: no statement. */
  readonly set?: readonly string[];
  readonly reset?: readonly string[];
  /** The first and last major version that the query runs on. */
  readonly versions?: readonly [first: number, last: number];
}

export function renderQuery(query: FactQuery, rank: number): string {
  const { name, value, from } = query;
  const [set, reset] = [query.set, query.reset].map(renderStatements);
  return `select ${rank} as rank, fact.* from (select ${name} as name, (${value})::text as value,
    ${String(query.isPrinted === true)} as "isPrinted", ${String(query.isObject === true)} as "isObject",
    ${set} as set, ${reset} as reset from ${from}) as fact where value is not null`;
}

function renderStatements(statements: readonly string[] | undefined): string {
  return statements === undefined ? 'null::text[]' : `array_remove(array[${statements.join(', ')}], null)`;
}

/**
 * `spaces`: the schemas of the user. `members`: what belongs to an extension. `relations` and `columns`: without indexes and
 * without what extensions own.
 */
export const COMMON_TABLES: string = `spaces as materialized (
  select oid, nspname, nspowner, nspacl from pg_namespace
  where nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse') and not exists (
    select from pg_depend join pg_extension on pg_extension.oid = refobjid
    where classid = 'pg_namespace'::regclass and objid = pg_namespace.oid and deptype = 'e' and extname in (${LEFT_OUT}))
), members as materialized (
  select classid, objid from pg_depend where deptype = 'e'
), own as materialized (
  select class.*, format('%I.%I', nspname, relname) as path,
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
      when 'c' then 'type' when 'i' then 'index' when 'I' then 'index' else 'table' end as kind
  from pg_class as class join spaces on spaces.oid = relnamespace
  where relkind <> 't' and not exists (select from members where classid = 'pg_class'::regclass and objid = class.oid)
), relations as materialized (
  select * from own where relkind not in ('i', 'I')
), columns as materialized (
  select attribute.*, relkind, relowner, relations.path as table_path, format('%s.%I', relations.path, attname) as path,
    case when relkind = 'c' then 'attribute' else 'column' end as kind,
    format('alter table %s alter column %I ', relations.path, attname) as change
  from pg_attribute as attribute join relations on relations.oid = attrelid
  where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm', 'f', 'c')
)`;

/** Whether PostgreSQL or an extension made the object: a condition on the row. */
export function isOwn(catalog: string, oid: string): string {
  return `${oid} >= 16384 and not exists (select from members where classid = '${catalog}'::regclass and objid = ${oid})`;
}

/** The options of foreign objects that are never secret. The others are part of no state that is compared. */
export function plainOptionsOf(options: string): string {
  const names = [
    'host',
    'port',
    'dbname',
    'schema_name',
    'table_name',
    'column_name',
    'filename',
    'format',
    'fetch_size',
    'updatable',
  ];
  const list = names.map((name) => `'${name}'`).join(', ');
  return `(select string_agg(option, ', ' order by option) from unnest(${options}) as option where split_part(option, '=', 1) in (${list}))`;
}
