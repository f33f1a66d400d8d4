// Queries the parts of a schema that a role may see, in the request's own transaction (`operating.md` §12.1).
import { HAS_RELATION_PRIVILEGE, RELATION_LETTERS } from './privileges.sql.ts';
import { ROUTINE, renderRoutinesSql } from './routines.sql.ts';

const ROUTINE_COLUMNS = Object.keys(ROUTINE)
  .map((name) => `"${name}"`)
  .join(', ');

const IS_IN_SCHEMA = 'namespace.nspname = $1';

/**
 * Only pg_depend has an index by schema. Starting from the few rows it returns keeps PostgreSQL from reading all of
 * pg_proc.
 */
const IS_LISTED_IN_SCHEMA = `${IS_IN_SCHEMA} and function.oid = any (array(
      select objid from pg_depend
      where refclassid = 'pg_namespace'::regclass and refobjid = (select oid from pg_namespace where nspname = $1)
        and classid = 'pg_proc'::regclass
    ))`;

/** pg_depend lists no objects of this schema. */
const BUILT_IN_SCHEMA = 'pg_catalog';

/**
 * Renders an array of the functions that the current role may execute, each with its values in the order of `ROUTINE`.
 * `$1` is the schema.
 */
export function renderRoutineRowsSql(schema: string): string {
  const isInSchema = schema === BUILT_IN_SCHEMA ? IS_IN_SCHEMA : IS_LISTED_IN_SCHEMA;
  return `
    select coalesce(json_agg(json_build_array(${ROUTINE_COLUMNS})), '[]')
    from (${renderRoutinesSql(`${isInSchema} and has_function_privilege(function.oid, 'execute')`)}) as routine (${ROUTINE_COLUMNS})`;
}

/** Without USAGE on the schema, nothing in it can be used. Checked once, since it does not depend on the relation. */
const USABLE_LETTERS = `case
        when (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = $1) then ${RELATION_LETTERS}
        else ''
      end`;

/**
 * `$1` the schema. Rows: one JSON object with the schema's comment; the relations on which the current role has a
 * privilege or whose owner's privileges it has, each with its name and the letters of the commands it may use; and the
 * functions it may execute, each with its values in the order of `ROUTINE`. The parameter is a text rather than an
 * array, so that PostgreSQL caches the plan.
 */
export function renderSchemaVisibilitySql(schema: string): string {
  return `
select json_build_object(
  'schemaComment', (select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = $1),
  'relations', (
    select coalesce(json_agg(json_build_array(relation.relname, ${USABLE_LETTERS}) order by relation.relname), '[]')
    from pg_class relation
    where relation.relnamespace = (select oid from pg_namespace where nspname = $1)
      and relation.relkind in ('r', 'p', 'v', 'm', 'f')
      and not relation.relispartition
      and ${HAS_RELATION_PRIVILEGE}
  ),
  'routines', (${renderRoutineRowsSql(schema)})
)`;
}
