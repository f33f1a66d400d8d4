// Groups the conformance cases that can share a server, and defines the options common to all of these servers.
import { fileURLToPath } from 'node:url';
import { serverVersion } from '../support/database.ts';
import type { ServerOptions } from '../support/server-process.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { SECRET } from './send-step.ts';

export const BASE: ServerOptions = {
  'db-schemas': 'api',
  'db-anon-role': 'web_anon',
  'jwt-secret': SECRET,
  'log-level': 'crit',
  'db-config': false,
  // What an extension adds is an error in the cases.
  extensions: 'none',
};

const databaseVersion = await serverVersion();

/** Groups cases with equal options, which share a server. Omits cases whose needs this PostgreSQL does not meet. */
export function groupByConfig(cases: readonly ConformanceCase[]): ReadonlyMap<string, readonly ConformanceCase[]> {
  const groups = new Map<string, ConformanceCase[]>();
  for (const conformance of cases) {
    if (conformance.needs !== undefined && !isProvided(conformance.needs)) continue;
    const key = JSON.stringify(conformance.config ?? {});
    groups.set(key, [...(groups.get(key) ?? []), conformance]);
  }
  return groups;
}

/** The embedded PostgreSQL provides no extensions. */
function isProvided(need: string): boolean {
  const [, version] = /^postgresql (\d+)$/u.exec(need) ?? [];
  return version !== undefined && databaseVersion >= Number(version);
}

/** Returns the path of a suite or of its fixture. */
export function fileOf(name: string): string {
  return fileURLToPath(new URL(`cases/${name}`, import.meta.url));
}
