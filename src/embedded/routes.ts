// The routes that a file of SQL has made: which they are, and whether the running server has them yet.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServedBy } from './served-by.ts';
import { withConnection } from './sql-session.ts';

export interface Route {
  readonly schema: string;
  readonly name: string;
}

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 50;

/** Tables and views. `uri`: superuser. */
export async function listRelations(uri: string, schemas: readonly string[]): Promise<readonly Route[]> {
  return await withConnection(uri, async (client) => {
    const { rows } = await client.query<{ readonly schema: string; readonly name: string }>(
      `select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname = any ($1) and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition order by 1, 2`,
      [schemas],
    );
    return rows;
  });
}

export function findNew(after: readonly Route[], before: readonly Route[]): readonly Route[] {
  return after.filter(({ schema, name }) => !before.some((old) => old.schema === schema && old.name === name));
}

/** Resolves with those that are there within 10 seconds. Rights do not matter: a route that is refused is there. */
export async function awaitRoutes(server: ServedBy, routes: readonly Route[]): Promise<readonly Route[]> {
  const deadline = Date.now() + TIMEOUT_MS;
  let missing = routes;
  while (missing.length > 0 && Date.now() < deadline) {
    const found = await Promise.all(missing.map((route) => isThere(server, route)));
    missing = missing.filter((_, index) => found[index] !== true);
    if (missing.length > 0) await sleep(PAUSE_MS);
  }
  return routes.filter((route) => !missing.includes(route));
}

export function renderRoute({ apiUrl }: ServedBy, { name }: Route): string {
  return `${apiUrl}/${encodeURIComponent(name)}`;
}

async function isThere(server: ServedBy, route: Route): Promise<boolean> {
  try {
    const response = await fetch(`${renderRoute(server, route)}?limit=0`, {
      method: 'HEAD',
      headers: { 'Accept-Profile': route.schema },
    });
    return response.status !== 404;
  } catch {
    return false;
  }
}
