// The parts of a schema that a role may know, queried in the request's own transaction (`operating.md` §12.1).
import { HAS_RELATION_PRIVILEGE } from './privileges.sql.ts';
import { ROUTINE, renderRoutinesSql } from './routines.sql.ts';

const ROUTINE_COLUMNS = Object.keys(ROUTINE)
  .map((name) => `"${name}"`)
  .join(', ');

/** An array of the rows of the functions that the current role may execute. */
export const ROUTINE_ROWS_SQL: string = `
    select coalesce(json_agg(json_build_array(${ROUTINE_COLUMNS})), '[]')
    from (${renderRoutinesSql("has_function_privilege(function.oid, 'execute')")}) as routine (${ROUTINE_COLUMNS})`;

/**
 * `$1` one schema as an array of text. Rows: one JSON object of the schema's comment, the names of the relations on which
 * the current role has a privilege or whose owner's privileges it has, and the rows of the functions it may execute, as
 * `ROUTINE` numbers their values.
 */
export const SCHEMA_VISIBILITY_SQL: string = `
select json_build_object(
  'schemaComment', (
    select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = any ($1::text[])
  ),
  'relations', (
    select coalesce(json_agg(relation.relname order by relation.relname), '[]')
    from pg_class relation
    join pg_namespace namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = any ($1::text[])
      and relation.relkind in ('r', 'p', 'v', 'm', 'f')
      and not relation.relispartition
      and ${HAS_RELATION_PRIVILEGE}
  ),
  'routines', (${ROUTINE_ROWS_SQL})
)`;
