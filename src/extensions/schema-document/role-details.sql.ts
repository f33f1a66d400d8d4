// What a role may do with each relation and column of a schema, and details that the schema cache lacks. Runs in the
// request's own transaction, for the description that the explorer reads.
import { RELATION_LETTERS } from '../../catalog/introspect/privileges.sql.ts';
import { renderRoutineRowsSql } from '../../catalog/introspect/schema-visibility.sql.ts';

/** The allowed commands as their first letters: select, insert, update, delete. */
const COLUMN_LETTERS = `concat(
        case when has_column_privilege(relations.oid, attribute.attnum, 'select') then 's' end,
        case when has_column_privilege(relations.oid, attribute.attnum, 'insert') and is_writable then 'i' end,
        case when has_column_privilege(relations.oid, attribute.attnum, 'update') and is_writable then 'u' end
      )`;

/** Lists columns only if their privileges differ; computed columns of views accept no values. */
const RELATIONS_SQL = `
  select coalesce(json_agg(json_build_array(relname, letters, columns.letters_by_name) order by relname), '[]')
  from (
    select relation.oid, relation.relname::text,
      relation.relkind = 'v' and pg_relation_is_updatable(relation.oid, false) <> 0 as is_updatable_view,
      ${RELATION_LETTERS} as letters,
      concat(
        case when has_table_privilege(relation.oid, 'select') then 's' end,
        case when has_table_privilege(relation.oid, 'insert') then 'i' end,
        case when has_table_privilege(relation.oid, 'update') then 'u' end
      ) as letters_of_all
    from pg_class relation
    join pg_namespace namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = $1 and has_schema_privilege(namespace.oid, 'usage')
      and relation.relkind in ('r', 'p', 'v', 'm', 'f')
      and not relation.relispartition
  ) relations
  left join lateral (
    select json_object_agg(attribute.attname, ${COLUMN_LETTERS}) as letters_by_name
    from pg_attribute attribute
    cross join lateral (
      select not is_updatable_view or pg_column_is_updatable(relations.oid, attribute.attnum, false) as is_writable
    ) writable
    where attribute.attrelid = relations.oid and attribute.attnum > 0 and not attribute.attisdropped
  ) columns on is_updatable_view or rtrim(letters, 'd') <> letters_of_all
  where letters <> ''`;

/** Functions of one row on the search path: computed columns and relationships. */
const ROW_FUNCTIONS_SQL = `
  select coalesce(json_agg(json_build_array(
    relation.relname, function.proname, format_type(function.prorettype, null),
    obj_description(function.oid, 'pg_proc'), function.proretset, function.oid::text
  ) order by function.proname, array_position(current_schemas(false), found_in.nspname)), '[]')
  from pg_proc function
  join pg_namespace found_in on found_in.oid = function.pronamespace
  join pg_type argument on argument.oid = function.proargtypes[0]
  join pg_class relation on relation.oid = argument.typrelid
  join pg_namespace namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = $1 and found_in.nspname = any (current_schemas(false))
    and function.pronargs = 1 and function.proallargtypes is null
    and function.prokind = 'f' and function.prorettype <> 'trigger'::regtype
    and has_function_privilege(function.oid, 'execute')`;

/** User-defined types except row types of relations, under their qualified name and their name on the search path. */
const TYPES_SQL = `
  select coalesce(json_agg(json_build_array(
    format('%I.%I', namespace.nspname, type.typname), format_type(type.oid, null), type.typtype, type.typcategory,
    format_type(nullif(type.typbasetype, 0), null),
    (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = type.oid),
    (
      select json_agg(json_build_array(attname, format_type(atttypid, null)) order by attnum)
      from pg_attribute
      where attrelid = type.typrelid and attnum > 0 and not attisdropped
    )
  )), '[]')
  from pg_type type
  join pg_namespace namespace on namespace.oid = type.typnamespace
  left join pg_class relation on relation.oid = type.typrelid
  where (type.typtype in ('c', 'd', 'e', 'm', 'r') or type.typtype = 'b' and type.typcategory <> 'A')
    and (type.typrelid = 0 or relation.relkind = 'c')
    and namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`;

/** Default expressions of the input parameters of functions that have some, in order; null for the others. */
const PARAMETER_DEFAULTS_SQL = `
  select coalesce(json_agg(json_build_array(function.oid::text, (
    select json_agg(pg_get_function_arg_default(function.oid, position) order by position)
    from generate_series(1, coalesce(cardinality(function.proallargtypes), function.pronargs)) position
    where coalesce(function.proargmodes[position], 'i') in ('i', 'b', 'v')
  ))), '[]')
  from pg_proc function
  join pg_namespace namespace on namespace.oid = function.pronamespace
  where namespace.nspname = $1 and function.pronargdefaults > 0`;

/** Without USAGE on the schema, no function in it can be called, whatever its own privileges. */
const MAY_USE_SCHEMA = `exists (select from pg_namespace where nspname = $1 and has_schema_privilege(oid, 'usage'))`;

/**
 * `$1` the schema. Rows: one JSON object. `relations`: name, letters, letters by column or null; `rowFunctions`:
 * relation, name, type, comment, is set, oid; `types`: both names, typtype, typcategory, base, labels, fields;
 * `routines`: values in the order of `ROUTINE`; `parameterDefaults`: oid, expressions.
 */
export function renderRoleDetailsSql(schema: string): string {
  return `
select json_build_object(
  'role', current_user,
  'schemaComment', (
    select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = $1
  ),
  'relations', (${RELATIONS_SQL}),
  'rowFunctions', (${ROW_FUNCTIONS_SQL}),
  'types', (${TYPES_SQL}),
  'routines', case when ${MAY_USE_SCHEMA} then (${renderRoutineRowsSql(schema)}) else '[]' end,
  'parameterDefaults', (${PARAMETER_DEFAULTS_SQL})
)`;
}
