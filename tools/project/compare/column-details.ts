// Details that the library does not compare or does not keep (`project.md` §2 item 5): privileges and comments on columns of views, storage,
// compression and statistics of columns, the index by which a table is clustered.
import type { ClientBase } from 'pg';

export interface Detail {
  /** For a person: `comment on column totals.sum`. Null if the library compares it too. */
  readonly name: string | null;
  /** The statement that sets it. */
  readonly set: string;
}

/** By the statements that reset them. */
export type Details = ReadonlyMap<string, Detail>;

const RELATION = `format('%I.%I', nspname, relname)`;
const COLUMN = `format('alter table %I.%I alter column %I ', nspname, relname, attname)`;
const STORAGE = (code: string): string =>
  `case ${code} when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end`;

const COLUMNS = `pg_catalog.pg_attribute join pg_catalog.pg_class as class on class.oid = attrelid
join pg_catalog.pg_namespace as space on space.oid = relnamespace
where attnum > 0 and not attisdropped and nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse')
  and not exists (select from pg_catalog.pg_depend where objid = class.oid and deptype = 'e')`;
const STORED = `${COLUMNS} and relkind in ('r', 'p', 'm')`;

/** Each returns a name, what sets the detail, and what resets it. */
const QUERIES: readonly string[] = [
  `select format('comment on column %s.%s', relname, attname),
     format('comment on column %s.%I is %L', ${RELATION}, attname, comment),
     format('comment on column %s.%I is null', ${RELATION}, attname)
   from (select *, pg_catalog.col_description(attrelid, attnum) as comment from ${COLUMNS} and relkind in ('v', 'm')) as columns
   where comment is not null`,
  // A privilege that is revoked from a role for a table is revoked for its columns too.
  `select case when relkind in ('v', 'm') then format('%s on column %s.%s for %s', lower(privilege_type), relname, attname,
       coalesce(rolname, 'public')) end,
     format('grant %s (%I) on table %s to %s%s', privilege_type, attname, ${RELATION}, coalesce(quote_ident(rolname), 'public'),
       case when is_grantable then ' with grant option' end),
     format('revoke %s (%I) on table %s from %s', privilege_type, attname, ${RELATION}, coalesce(quote_ident(rolname), 'public'))
   from (select nspname, relname, relkind, attname, attacl from ${COLUMNS} and attacl is not null) as columns,
     pg_catalog.aclexplode(attacl) left join pg_catalog.pg_roles on pg_roles.oid = grantee`,
  `select format('storage of column %s.%s', relname, attname), ${COLUMN} || 'set storage ' || ${STORAGE('attstorage')},
     ${COLUMN} || 'set storage ' || ${STORAGE('typstorage')}
   from (select nspname, relname, attname, attstorage, typstorage from pg_catalog.pg_type, ${STORED}
     and pg_type.oid = atttypid and attstorage <> typstorage) as columns`,
  `select format('compression of column %s.%s', relname, attname),
     ${COLUMN} || 'set compression ' || case attcompression when 'l' then 'lz4' else 'pglz' end, ${COLUMN} || 'set compression default'
   from (select nspname, relname, attname, attcompression from ${STORED} and attcompression <> '') as columns`,
  `select format('statistics of column %s.%s', relname, attname), ${COLUMN} || 'set statistics ' || attstattarget,
     ${COLUMN} || 'set statistics -1'
   from (select nspname, relname, attname, attstattarget from ${STORED} and attstattarget >= 0) as columns`,
  `select format('options of column %s.%s', relname, attname), ${COLUMN} || format('set (%s)', array_to_string(attoptions, ', ')),
     ${COLUMN} || format('reset (%s)', (select string_agg(split_part(option, '=', 1), ', ') from unnest(attoptions) as option))
   from (select nspname, relname, attname, attoptions from ${STORED} and attoptions is not null) as columns`,
  `select format('clustering of %s', class.relname), format('alter table %I.%I cluster on %I', nspname, class.relname, its.relname),
     format('alter table %I.%I set without cluster', nspname, class.relname)
   from pg_catalog.pg_index join pg_catalog.pg_class as its on its.oid = indexrelid
   join pg_catalog.pg_class as class on class.oid = indrelid join pg_catalog.pg_namespace on pg_namespace.oid = class.relnamespace
   where indisclustered and nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse')`,
];

const QUERY = QUERIES.map((query) => `select * from (${query}) as part (name, set, reset)`).join(' union all ');

export async function readDetails(client: Pick<ClientBase, 'query'>): Promise<Details> {
  const { rows } = await client.query<Detail & { readonly reset: string }>(QUERY);
  return new Map(rows.map(({ reset, name, set }) => [reset, { name, set }]));
}

/** Returns the statements that turn one into the other, with the names of what they change. */
export function compareDetails(
  from: Details,
  to: Details,
  isDropped: (reset: string) => boolean,
): readonly { readonly name: string | null; readonly sql: string }[] {
  const gone = [...from].filter(([reset]) => !to.has(reset) && isDropped(reset));
  const changed = [...to].filter(([reset, { set }]) => from.get(reset)?.set !== set);
  return [
    ...gone.map(([reset, { name }]) => ({ name, sql: reset })),
    ...changed.map(([, { name, set }]) => ({ name, sql: set })),
  ];
}
