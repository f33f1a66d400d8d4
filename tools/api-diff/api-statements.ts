// Statements that read what the schema cache lacks: privileges of the web roles, policies, constraints and types. They
// run with an empty search path, so that PostgreSQL prints every name qualified.

/** `$1` exposed schemas. Rows: their names, of those that exist, in the order given. */
export const SCHEMAS_SQL: string = `
select nspname::text as name from pg_namespace where nspname = any ($1::text[])
order by array_position($1::text[], nspname::text)`;

/**
 * Rows: a view that checks the privileges of its reader, each relation and column (0: none in particular) that it reads
 * with them, also through views of the same kind, and whether it reads no other relation.
 */
const INVOKED = `recursive reference as (
  select distinct rule.ev_class as view, depend.refobjid as relation, depend.refobjsubid as attribute
  from pg_rewrite rule
  join pg_class view on view.oid = rule.ev_class and view.relkind = 'v'
  join pg_depend depend on depend.classid = 'pg_rewrite'::regclass and depend.objid = rule.oid
    and depend.refclassid = 'pg_class'::regclass and depend.refobjid <> view.oid
  join pg_class target on target.oid = depend.refobjid and target.relkind in ('r', 'p', 'v', 'm', 'f')
  where exists (
    select from pg_options_to_table(view.reloptions)
    where option_name = 'security_invoker' and option_value::boolean
  )
), direct as (
  select view, relation, attribute, not exists (
    select from reference other where other.view = reference.view and other.relation <> reference.relation
  ) as is_only
  from reference
), invoked as (
  select view, relation, attribute, is_only from direct
  union
  select invoked.view, inside.relation, inside.attribute, invoked.is_only and inside.is_only
  from invoked
  join direct inside on inside.view = invoked.relation
)`;

const EXPOSED = `relation.relkind in ('r', 'p', 'v', 'm', 'f') and not relation.relispartition`;

function lettersOf(has: (privilege: string) => string, withDelete: string): string {
  return `concat(case when ${has('select')} then 's' end, case when ${has('insert')} then 'i' end,
    case when ${has('update')} then 'u' end${withDelete})`;
}

/** Whether the role has the privilege on what a view reads, or changes, in its name. */
function mayInvoke(privilege: string): string {
  const [isAffected, isAllowed] =
    privilege === 'select'
      ? [
          'true',
          `case when attribute = 0 then has_any_column_privilege(role.oid, invoked.relation, 'select')
            else has_column_privilege(role.oid, invoked.relation, attribute::int2, 'select') end`,
        ]
      : [
          'is_only',
          `has_${privilege === 'delete' ? 'table' : 'any_column'}_privilege(role.oid, invoked.relation, '${privilege}')`,
        ];
  return `not exists (select from invoked where invoked.view = relation.oid and ${isAffected} and not ${isAllowed})`;
}

/**
 * `$1` roles. Rows: role, schema, relation, letters of its privileges, letters by column if they differ from those of the
 * relation. Includes schemas that are not exposed, because a relationship may lead through their tables.
 */
export const ACCESS_SQL: string = `
with ${INVOKED}
select access.role, access.schema, access.name, access.letters, columns.letters_by_name as columns
from (
  select role.oid as role_oid, role.rolname::text as role, namespace.nspname::text as schema, relation.oid,
    relation.relname::text as name,
    ${lettersOf((privilege) => `has_any_column_privilege(role.oid, relation.oid, '${privilege}') and ${mayInvoke(privilege)}`, `, case when has_table_privilege(role.oid, relation.oid, 'delete') and ${mayInvoke('delete')} then 'd' end`)} as letters,
    ${lettersOf((privilege) => `has_table_privilege(role.oid, relation.oid, '${privilege}')`, '')} as letters_of_all
  from pg_class relation
  join pg_namespace namespace on namespace.oid = relation.relnamespace
  join pg_roles role on role.rolname = any ($1::text[]) and has_schema_privilege(role.oid, namespace.oid, 'usage')
  where namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and ${EXPOSED}
) access
left join lateral (
  select json_object_agg(attribute.attname,
    ${lettersOf((privilege) => `has_column_privilege(access.role_oid, access.oid, attribute.attnum, '${privilege}')`, '')}) as letters_by_name
  from pg_attribute attribute
  where attribute.attrelid = access.oid and attribute.attnum > 0 and not attribute.attisdropped
) columns on rtrim(access.letters, 'd') <> access.letters_of_all
where access.letters <> ''`;

/** `$1` roles, `$2` schemas. Rows: role and the oids of the functions that it may execute. */
export const EXECUTE_SQL: string = `
select role.rolname::text as role, array_agg(function.oid::text) as oids
from pg_proc function
join pg_namespace namespace on namespace.oid = function.pronamespace
join pg_roles role on role.rolname = any ($1::text[])
where namespace.nspname = any ($2::text[]) and function.prokind = 'f'
  and has_schema_privilege(role.oid, namespace.oid, 'usage') and has_function_privilege(role.oid, function.oid, 'execute')
group by role.rolname`;

const POLICIES_SQL = `
  select json_agg(json_build_object(
    'name', policy.polname, 'command', policy.polcmd, 'isPermissive', policy.polpermissive,
    'using', pg_get_expr(policy.polqual, policy.polrelid), 'check', pg_get_expr(policy.polwithcheck, policy.polrelid),
    'roles', (
      select coalesce(json_agg(role.rolname), '[]')
      from pg_roles role
      where role.rolname = any ($1::text[]) and exists (
        select from unnest(policy.polroles) as target (oid)
        where case when target.oid = 0 then true else pg_has_role(role.oid, target.oid, 'usage') end
      )
    )
  ))
  from pg_policy policy
  where policy.polrelid = relation.oid
    or policy.polrelid in (select invoked.relation from invoked where invoked.view = relation.oid)`;

const RESTRICTED_SQL = `
  select json_agg(role.rolname)
  from pg_roles role
  where role.rolname = any ($1::text[]) and not role.rolsuper and not role.rolbypassrls and exists (
    select from pg_class protected
    where (protected.oid = relation.oid or protected.oid in (
        select invoked.relation from invoked where invoked.view = relation.oid
      )) and protected.relrowsecurity
      and (protected.relforcerowsecurity or not pg_has_role(role.oid, protected.relowner, 'usage'))
  )`;

const CONSTRAINTS_SQL = `
  select json_agg(json_build_object('name', name, 'definition', definition, 'columns', columns, 'key', key))
  from (
    select constrained.conname as name, pg_get_constraintdef(constrained.oid) as definition, (
      select coalesce(json_agg(attribute.attname), '[]')
      from pg_attribute attribute
      where attribute.attrelid = relation.oid and attribute.attnum = any (constrained.conkey)
    ) as columns, null::json as key
    from pg_constraint constrained
    where constrained.conrelid = relation.oid and constrained.contype in ('c', 'f', 'x')
    union all
    select class.relname, concat('UNIQUE', case when to_jsonb(index) ->> 'indnullsnotdistinct' = 'true' then ' NULLS NOT DISTINCT' end,
        ' (', keys.definition, ')', ' WHERE ' || pg_get_expr(index.indpred, index.indrelid)), (
      select coalesce(json_agg(attribute.attname), '[]')
      from pg_attribute attribute
      where attribute.attrelid = relation.oid and attribute.attnum = any (index.indkey)
    ), (
      select json_agg(attribute.attname order by position)
      from unnest(index.indkey::int2[]) with ordinality as key (attnum, position)
      join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum = key.attnum
      where position <= index.indnkeyatts and index.indimmediate and index.indpred is null and index.indexprs is null
    )
    from pg_index index
    join pg_class class on class.oid = index.indexrelid
    cross join lateral (
      select string_agg(pg_get_indexdef(index.indexrelid, position, true), ', ' order by position) as definition
      from generate_series(1, index.indnkeyatts) position
    ) keys
    where index.indrelid = relation.oid and index.indisunique and index.indisvalid and not index.indisexclusion
  ) constraints`;

const READ_ONLY_SQL = `
  select json_agg(attribute.attname)
  from pg_attribute attribute
  where relation.relkind = 'v' and pg_relation_is_updatable(relation.oid, false) <> 0
    and attribute.attrelid = relation.oid and attribute.attnum > 0
    and not pg_column_is_updatable(relation.oid, attribute.attnum, false)`;

/** What rows must fulfil that are written through a view. */
const CHECK_OPTION_SQL = `
  select json_build_object('isCascaded', option_value = 'cascaded',
    'condition', coalesce(substring(pg_get_viewdef(relation.oid, true) from E'\\n  WHERE (.*);$'), 'true'))
  from pg_options_to_table(relation.reloptions)
  where relation.relkind = 'v' and option_name = 'check_option'`;

/** Functions that requests can select like columns. Those that return rows are relationships. */
const ROW_FUNCTIONS_SQL = `
  select json_object_agg(function.proname,
    json_build_object('type', format_type(function.prorettype, null), 'oid', function.oid::text))
  from pg_proc function
  join pg_namespace found_in on found_in.oid = function.pronamespace
  join pg_type result on result.oid = function.prorettype
  where found_in.nspname = any ($3::text[]) and function.pronargs = 1 and function.proargtypes[0] = relation.reltype
    and function.proallargtypes is null and function.prokind = 'f' and not function.proretset and result.typtype <> 'c'`;

/** `$1` roles, `$2` exposed schemas, `$3` the search path. Rows: schema, relation, and JSON as in `TableFacts`. */
export const TABLES_SQL: string = `
with ${INVOKED}
select namespace.nspname::text as schema, relation.relname::text as name, (${POLICIES_SQL}) as policies,
  (${RESTRICTED_SQL}) as restricted, (${CONSTRAINTS_SQL}) as constraints, (${READ_ONLY_SQL}) as computed_by_view,
  (${ROW_FUNCTIONS_SQL}) as row_functions, (${CHECK_OPTION_SQL}) as check_option
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
where namespace.nspname = any ($2::text[]) and ${EXPOSED}`;

/** Rows: the qualified name of a type of the user, its kind as in pg_type, and JSON as in `TypeFacts`. */
export const TYPES_SQL: string = `
select format_type(type.oid, null) as name, type.typtype::text as kind,
  format_type(nullif(type.typbasetype, 0), type.typtypmod) as base,
  (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = type.oid) as labels,
  (
    select json_agg(json_build_array(attname, format_type(atttypid, atttypmod)) order by attnum)
    from pg_attribute
    where attrelid = type.typrelid and attnum > 0 and not attisdropped
  ) as fields,
  (select json_agg(pg_get_constraintdef(oid)) from pg_constraint where contypid = type.oid and contype = 'c') as checks
from pg_type type
join pg_namespace namespace on namespace.oid = type.typnamespace
where type.typtype in ('c', 'd', 'e', 'm', 'r') and namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`;

/** `$1` exposed schemas. Rows: views that pass an insert on to a table, with the numbers of their columns by name. */
export const INSERTABLE_VIEWS_SQL: string = `
select namespace.nspname::text as schema, view.relname::text as name, view.oid::text as oid,
  (
    select json_object_agg(attname, attnum) from pg_attribute
    where attrelid = view.oid and attnum > 0 and not attisdropped
  ) as columns
from pg_class view
join pg_namespace namespace on namespace.oid = view.relnamespace
where view.relkind = 'v' and namespace.nspname = any ($1::text[]) and pg_relation_is_updatable(view.oid, false) & 8 <> 0`;

/**
 * Rows: oid of a table, the numbers of the columns that an insert must give, and of those that it cannot, the numbers of
 * all columns by name, and its constraints.
 */
export const BASE_TABLES_SQL: string = `
select relation.oid::text as oid,
  coalesce(json_agg(attnum) filter (where attnotnull and not atthasdef and attidentity = ''), '[]') as required,
  coalesce(json_agg(attnum) filter (where attgenerated <> '' or attidentity = 'a'), '[]') as generated,
  json_object_agg(attname, attnum) as columns,
  coalesce((${CONSTRAINTS_SQL}), '[]') as constraints
from pg_attribute
join pg_class relation on relation.oid = attrelid and relation.relkind in ('r', 'p', 'f')
join pg_namespace namespace on namespace.oid = relation.relnamespace
where attnum > 0 and not attisdropped and namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
group by relation.oid`;

/** Rows: oid of a view, and its query. */
export const VIEW_QUERIES_SQL: string = `
select ev_class::text as oid, ev_action::text as query
from pg_rewrite
join pg_class view on view.oid = ev_class and view.relkind = 'v'
join pg_namespace namespace on namespace.oid = view.relnamespace
where ev_type = '1' and namespace.nspname not in ('pg_catalog', 'information_schema')`;
