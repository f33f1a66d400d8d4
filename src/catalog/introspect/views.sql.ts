// Selects the parsed queries of the views through which columns may be traced to base tables.

/** `$1` exposed schemas, `$2` extra search path. Rows: view oid, its query as a printed node tree. */
export const VIEWS_SQL: string = `
select relation.oid::text, rule.ev_action::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_rewrite rule on rule.ev_class = relation.oid and rule.rulename = '_RETURN'
where namespace.nspname = any ($1::text[] || $2::text[])
  and relation.relkind in ('v', 'm')`;
