// Selects the plain functions of the exposed schemas; those that requests cannot call may be computed relationships.
import { renderDomainsCte } from './domains.sql.ts';

/** Positions of the values in a row of the statement. */
export const ROUTINE: {
  readonly [
    name in
      | 'schema'
      | 'name'
      | 'comment'
      | 'parameterTypes'
      | 'parameterNames'
      | 'parameterModes'
      | 'defaultCount'
      | 'resultType'
      | 'isSet'
      | 'rowTypeSchema'
      | 'rowTypeName'
      | 'volatility'
      | 'settings'
      | 'estimatedRows'
      | 'argumentRelation'
      | 'resultRelation'
      | 'oid'
      | 'rowTypeRelation'
  ]: number;
} = {
  schema: 0,
  name: 1,
  comment: 2,
  parameterTypes: 3,
  parameterNames: 4,
  parameterModes: 5,
  defaultCount: 6,
  resultType: 7,
  isSet: 8,
  rowTypeSchema: 9,
  rowTypeName: 10,
  volatility: 11,
  settings: 12,
  estimatedRows: 13,
  argumentRelation: 14,
  resultRelation: 15,
  oid: 16,
  rowTypeRelation: 17,
};

/**
 * `$1` exposed schemas. Rows in the order of `ROUTINE`: types, names, modes and settings (`name=value`) as JSON arrays;
 * names and modes may be null (all unnamed, all IN); relations by oid, `0` for other types: `argumentRelation` and
 * `resultRelation` of the declared types, `rowTypeRelation` also of a domain over a row type.
 */
export const ROUTINES_SQL: string = renderRoutinesSql('namespace.nspname = any ($1::text[])');

/** Renders the statement with another condition on `namespace` and `function`, rows of pg_namespace and pg_proc. */
export function renderRoutinesSql(condition: string): string {
  return `
with recursive
  functions as (
    select function.*, namespace.nspname
    from pg_proc function
    join pg_namespace namespace on namespace.oid = function.pronamespace
    where ${condition} and function.prokind = 'f' and function.prorettype <> 'trigger'::regtype
  ),
  ${renderDomainsCte('oid in (select prorettype from functions)')},
  parameters (oid, types) as (
    select functions.oid, json_agg(format_type(parameter.type, null) order by parameter.position)::text
    from functions
    cross join lateral unnest(coalesce(functions.proallargtypes, functions.proargtypes::oid[]))
      with ordinality as parameter (type, position)
    group by functions.oid
  )
select functions.nspname::text, functions.proname::text, comment.description,
  parameters.types, array_to_json(functions.proargnames)::text, array_to_json(functions.proargmodes)::text,
  functions.pronargdefaults::text,
  format_type(functions.prorettype, null), functions.proretset::text, row_namespace.nspname::text, row_type.typname::text,
  functions.provolatile::text, array_to_json(functions.proconfig)::text, functions.prorows::text,
  coalesce(argument.typrelid, 0)::text, declared.typrelid::text, functions.oid::text,
  coalesce(row_type.typrelid, 0)::text
from functions
join pg_type declared on declared.oid = functions.prorettype
left join domains on domains.oid = declared.oid
left join pg_type row_type on row_type.oid = coalesce(domains.base, declared.oid) and row_type.typtype = 'c'
left join pg_namespace row_namespace on row_namespace.oid = row_type.typnamespace
left join pg_type argument on functions.pronargs = 1 and argument.oid = functions.proargtypes[0]
left join parameters on parameters.oid = functions.oid
left join pg_description comment
  on comment.objoid = functions.oid and comment.classoid = 'pg_proc'::regclass and comment.objsubid = 0
order by functions.nspname, functions.proname, functions.oid`;
}
