// Conditions and statements for what the current role may use in the exposed schemas.

/**
 * A condition on `relation`, a row of pg_class: a privilege on it or one of its columns, or the privileges of its
 * owner.
 */
export const HAS_RELATION_PRIVILEGE: string = `(
        has_table_privilege(relation.oid, 'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege(relation.oid, 'select, insert, update, references')
        or pg_has_role(relation.relowner, 'usage')
      )`;

/** The commands that the current role may use on `relation` or on one of its columns, as their first letters. */
export const RELATION_LETTERS: string = `concat(
        case when has_any_column_privilege(relation.oid, 'select') then 's' end,
        case when has_any_column_privilege(relation.oid, 'insert') then 'i' end,
        case when has_any_column_privilege(relation.oid, 'update') then 'u' end,
        case when has_table_privilege(relation.oid, 'delete') then 'd' end
      )`;

/**
 * `$1` exposed schemas. Rows: one JSON array of strings each. `relation`, schema and name: all columns may be selected;
 * `columns`, schema, name and the selectable columns; `routine` and the oid of an executable function.
 */
export const VISIBLE_NAMES_SQL: string = `
with schemas as materialized (
  select oid, nspname::text as name from pg_namespace where nspname = any ($1::text[]) and has_schema_privilege(oid, 'usage')
)
select array_to_json(
  case when has_table_privilege(relation.oid, 'select') then array['relation', schemas.name, relation.relname::text]
  else array['columns', schemas.name, relation.relname::text] || array(
    select attribute.attname::text
    from pg_attribute attribute
    where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
      and has_column_privilege(relation.oid, attribute.attnum, 'select')
  ) end
)::text
from pg_class relation
join schemas on schemas.oid = relation.relnamespace
where relation.relkind in ('r', 'p', 'v', 'm', 'f') and not relation.relispartition and ${HAS_RELATION_PRIVILEGE}
union all
select array_to_json(array['routine', function.oid::text])::text
from pg_proc function
join schemas on schemas.oid = function.pronamespace
where function.prokind = 'f' and has_function_privilege(function.oid, 'execute')`;

/**
 * `$1` schema, `$2` relation, `$3` privilege. One row says what the current role lacks: `schema` (USAGE), `object` (the
 * privilege on the relation and on each of its columns) or `nothing`.
 */
export const RELATION_DENIAL_SQL: string = `
select case
  when not has_schema_privilege(schema.oid, 'usage') then 'schema'
  when not has_any_column_privilege(relation.oid, $3) then 'object'
  else 'nothing'
end
from pg_class relation
join pg_namespace schema on schema.oid = relation.relnamespace
where schema.nspname = $1 and relation.relname = $2`;

/** `$1` schema, `$2` function. The same for EXECUTE: `object` if the role has it on none of the overloads. */
export const ROUTINE_DENIAL_SQL: string = `
select case
  when not has_schema_privilege(schema.oid, 'usage') then 'schema'
  when bool_or(has_function_privilege(function.oid, 'execute')) then 'nothing'
  else 'object'
end
from pg_proc function
join pg_namespace schema on schema.oid = function.pronamespace
where schema.nspname = $1 and function.proname = $2 and function.prokind = 'f'
group by schema.oid`;
