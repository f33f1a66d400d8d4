// Finds out whether PostgreSQL runs on this machine and with which environment.
import { readFileSync } from 'node:fs';
import type { HeapFacts } from './heap.ts';
import type { TransactionQuery } from '../../src/postgres/session/query.ts';

/** A connection to another machine or to a container comes from an address other than the server's. */
const BACKEND = `SELECT pg_catalog.pg_backend_pid()::text AS pid,
  (pg_catalog.version() ~ 'linux-gnu'
    AND pg_catalog.inet_server_addr() IS NOT DISTINCT FROM pg_catalog.inet_client_addr())::text AS is_concerned`;

export async function findHeapFacts(run: TransactionQuery): Promise<HeapFacts> {
  const reply = await run(BACKEND);
  const [row] = reply.ok ? reply.value : [];
  const [pid, concerned] = row ?? [];
  const isConcerned = concerned === 'true';
  return { isConcerned, environment: isConcerned ? readEnvironment(pid ?? '') : undefined };
}

/** Read from the parent, as backends overwrite their environment with their title. Only its user and root may. */
function readEnvironment(pid: string): readonly string[] | undefined {
  try {
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    return readFileSync(`/proc/${parent}/environ`, 'utf8').split('\0');
  } catch {
    return undefined;
  }
}
