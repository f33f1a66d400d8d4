// Reads the functions of exposed schemas whose only parameter is a row of a relation in the same schema.

/**
 * `$1` exposed schemas. Rows: schema, name, relation, name of the parameter or null, result type, is set, comment.
 */
export const ROW_FUNCTIONS_SQL: string = `
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
