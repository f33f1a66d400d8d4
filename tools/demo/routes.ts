// Finds the routes that an SQL file added (tables, views and functions) and renders their URLs.
import type { ServerRecord } from './server-record.ts';
import { withConnection } from '../embedded/script/sql-session.ts';

export interface Route {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'relation' | 'function';
}

const ROUTES_QUERY = `
  select nspname as schema, relname as name, 'relation' as kind
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition
  union
  select nspname, proname, 'function'
  from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
  where nspname = any ($1) and prokind = 'f' and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by kind desc, schema, name`;

/** @param uri connects as superuser */
export async function listRoutes(uri: string, schemas: readonly string[]): Promise<readonly Route[]> {
  return await withConnection(uri, async (client) => (await client.query<Route>(ROUTES_QUERY, [schemas])).rows);
}

export function findNew(after: readonly Route[], before: readonly Route[]): readonly Route[] {
  const known = new Set(before.map(identify));
  return after.filter((route) => !known.has(identify(route)));
}

export function renderRoute({ apiUrl }: ServerRecord, { name, kind }: Route): string {
  return `${apiUrl}/${kind === 'function' ? 'rpc/' : ''}${encodeURIComponent(name)}`;
}

function identify({ schema, name, kind }: Route): string {
  return JSON.stringify([kind, schema, name]);
}
