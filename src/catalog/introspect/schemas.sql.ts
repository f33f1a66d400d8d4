// Selects the configured schemas with their comments. Fails with SQLSTATE 3F000 if one does not exist.

/** `$1` exposed schemas, `$2` extra search path. Rows: name, is exposed, comment. */
export const SCHEMAS_SQL: string = `
select configured.name, configured.is_exposed::text,
  obj_description(quote_ident(configured.name)::regnamespace, 'pg_namespace')
from (
  select name, true as is_exposed from unnest($1::text[]) name
  union all
  select name, false from unnest($2::text[]) name
) configured`;
