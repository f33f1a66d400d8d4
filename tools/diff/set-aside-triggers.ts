// PostgreSQL does not change the type of a column that a trigger names (`when (…)`, `update of …`).
import type { Client } from 'pg';

export interface SetAside {
  readonly drop: readonly string[];
  /** Makes them as they were. */
  readonly restore: readonly string[];
}

/** Parameters: schema, table, column. The triggers of partitions disappear and return with that of their parent. */
const FIND_TRIGGERS = `
select format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop,
  array_remove(array[
    pg_get_triggerdef(trig.oid),
    case when tgenabled <> 'O' then format('alter table %s %s trigger %I', tgrelid::regclass,
      case tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end, tgname) end,
    format('comment on trigger %I on %s is ', tgname, tgrelid::regclass)
      || quote_literal(obj_description(trig.oid, 'pg_trigger'))
  ], null) as restore
from pg_trigger as trig
where not tgisinternal and tgparentid = 0 and exists (
  select from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
  where classid = 'pg_trigger'::regclass and objid = trig.oid and refclassid = 'pg_class'::regclass
    and refobjid = format('%I.%I', $1::text, $2::text)::regclass and attname = $3)
order by tgname`;

/** @param column whose type is to change */
export async function setTriggersAside(
  client: Client,
  { schema, table, name }: { readonly schema: string; readonly table: string; readonly name: string },
): Promise<SetAside> {
  const { rows } = await client.query<{ drop: string; restore: string[] }>(FIND_TRIGGERS, [schema, table, name]);
  return { drop: rows.map(({ drop }) => drop), restore: rows.flatMap(({ restore }) => restore) };
}
