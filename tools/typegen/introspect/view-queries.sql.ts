// Reads the parsed queries of all views. Excludes materialized views, whose rows may be older than a constraint.

/** Rows: view oid, query as a node tree in PostgreSQL's text form. */
export const VIEW_QUERIES_SQL: string = `
select relation.oid::text, rule.ev_action::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_rewrite rule on rule.ev_class = relation.oid and rule.rulename = '_RETURN'
where relation.relkind = 'v' and namespace.nspname not in ('pg_catalog', 'information_schema')`;
