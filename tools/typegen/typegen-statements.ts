// The statements that read facts which are not in the schema cache: type identities, column constraints, view queries
// and functions of rows. Run them in one READ ONLY transaction with an empty search path, so that all names are
// qualified, and pass their rows to `decodeTypegenFacts`.
import { DOMAINS_CTE } from '../../src/catalog/introspect/domains.sql.ts';
import type { CatalogRow } from '../../src/catalog/catalog-rows.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import { renderArrayLiteral } from '../../src/sql/text/array-literal.ts';

// Reads the column constraints of the tables in every schema, because views are often built on tables that are not
// exposed.

/**
 * Rows: table oid, numbers of columns that are never null, numbers of columns that are always generated, both as JSON
 * arrays. A NOT NULL constraint that is not validated may leave nulls in older rows.
 */
const BASE_TABLES_SQL: string = `
with recursive ${DOMAINS_CTE}
select attrelid::text,
  coalesce(json_agg(attnum) filter (
    where coalesce(domains.is_not_null, false) or attnotnull and not exists (
      select from pg_constraint
      where conrelid = attrelid and contype = 'n' and conkey = array[attnum] and not convalidated
    )
  ), '[]')::text,
  coalesce(json_agg(attnum) filter (where attgenerated <> '' or attidentity = 'a'), '[]')::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
left join domains on domains.oid = atttypid
where relation.relkind in ('r', 'p', 'f') and namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
group by attrelid`;

// Reads the columns of exposed relations: their types by identity, and whether they can be written.

/**
 * `$1` exposed schemas. Rows: schema, relation, column, type as `format_type` prints it without modifiers, relation
 * oid, attribute number, whether it can be written. A view's column can be written only if it passes a base column
 * through, unless triggers or rules handle the whole row.
 */
const COLUMN_TYPES_SQL: string = `
with relations as (
  select relation.oid, relation.relname, relation.relkind, namespace.nspname,
    relation.relkind <> 'v'
      or exists (select from pg_trigger where tgrelid = relation.oid and tgtype & 64 <> 0)
      or exists (select from pg_rewrite where ev_class = relation.oid and ev_type <> '1' and is_instead) as takes_whole_rows
  from pg_class relation
  join pg_namespace namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = any ($1::text[]) and relation.relkind in ('r', 'p', 'v', 'm', 'f')
)
select nspname::text, relname::text, attname::text, format_type(atttypid, null), attrelid::text, attnum::text,
  (takes_whole_rows or pg_column_is_updatable(attrelid, attnum, false))::text
from relations
join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
order by attrelid, attnum`;

// Reads the functions of exposed schemas whose only parameter is a row of a relation in the same schema.

/**
 * `$1` exposed schemas. Rows: schema, name, relation, name of the parameter or null, result type, is set, comment.
 */
const ROW_FUNCTIONS_SQL: string = `
select namespace.nspname::text, function.proname::text, relation.relname::text, function.proargnames[1],
  format_type(function.prorettype, null), function.proretset::text, comment.description
from pg_proc function
join pg_namespace namespace on namespace.oid = function.pronamespace
join pg_type argument on argument.oid = function.proargtypes[0]
join pg_class relation on relation.oid = argument.typrelid and relation.relnamespace = function.pronamespace
left join pg_description comment
  on comment.objoid = function.oid and comment.classoid = 'pg_proc'::regclass and comment.objsubid = 0
where namespace.nspname = any ($1::text[])
  and function.pronargs = 1 and function.proallargtypes is null
  and function.prokind = 'f' and function.prorettype <> 'trigger'::regtype
  and relation.relkind in ('r', 'p', 'v', 'm', 'f')
order by namespace.nspname, function.proname, relation.relname`;

// Reads every type whose values are not a plain text or number, by the name that columns and parameters use.

/**
 * Rows: type as `format_type` prints it, kind (`array`, `domain`, `enum`, `composite`, `pseudo`, or `json` for a type
 * with a function that casts it to JSON), schema, name, element or base type, forbids null, enum labels as JSON array,
 * names and types of fields as JSON arrays, is a free-standing composite type (not the row type of a relation).
 */
const TYPES_SQL: string = `
with types as (
  select type.*,
    element.oid as element,
    type.typtype in ('b', 'e') and exists (
      select from pg_cast
      where castsource = type.oid and casttarget = 'json'::regtype and castmethod = 'f'
    ) and type.oid >= 16384 as is_cast_to_json
  from pg_type type
  left join pg_type element on element.oid = type.typelem and type.typlen = -1
)
select format_type(types.oid, null),
  case
    when element is not null then 'array'
    when is_cast_to_json then 'json'
    else case typtype when 'd' then 'domain' when 'e' then 'enum' when 'c' then 'composite' else 'pseudo' end
  end,
  namespace.nspname::text, typname::text,
  format_type(coalesce(element, nullif(typbasetype, 0)), null), typnotnull::text,
  (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = types.oid)::text,
  fields.names, fields.types,
  coalesce(relation.relkind = 'c', false)::text
from types
join pg_namespace namespace on namespace.oid = typnamespace
left join pg_class relation on relation.oid = typrelid
left join lateral (
  select json_agg(attname order by attnum)::text as names, json_agg(format_type(atttypid, null) order by attnum)::text as types
  from pg_attribute
  where attrelid = typrelid and attnum > 0 and not attisdropped
) fields on typrelid <> 0
where (typtype in ('d', 'e', 'c', 'p') or element is not null or is_cast_to_json)
  and namespace.nspname <> 'pg_toast'`;

// Reads the parsed queries of all views. Excludes materialized views, whose rows may be older than a constraint.

/** Rows: view oid, query as a node tree in PostgreSQL's text form. */
const VIEW_QUERIES_SQL: string = `
select relation.oid::text, rule.ev_action::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_rewrite rule on rule.ev_class = relation.oid and rule.rulename = '_RETURN'
where relation.relkind = 'v' and namespace.nspname not in ('pg_catalog', 'information_schema')`;

/** Rows by statement. The columns are documented with each statement in `introspect/`. */
export interface TypegenRows {
  readonly types: readonly CatalogRow[];
  readonly columnTypes: readonly CatalogRow[];
  readonly baseTables: readonly CatalogRow[];
  readonly viewQueries: readonly CatalogRow[];
  readonly rowFunctions: readonly CatalogRow[];
}

export function typegenStatements(
  schemas: readonly string[],
): readonly (Statement & { readonly name: keyof TypegenRows })[] {
  const exposed = renderArrayLiteral(schemas);
  return [
    { name: 'types', text: TYPES_SQL, parameters: [] },
    { name: 'columnTypes', text: COLUMN_TYPES_SQL, parameters: [exposed] },
    { name: 'baseTables', text: BASE_TABLES_SQL, parameters: [] },
    { name: 'viewQueries', text: VIEW_QUERIES_SQL, parameters: [] },
    { name: 'rowFunctions', text: ROW_FUNCTIONS_SQL, parameters: [exposed] },
  ];
}
