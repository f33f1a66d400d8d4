// Checks whether a PostgreSQL on this machine keeps the memory of large responses (`docs/decisions/heap.md`).
import { readFileSync } from 'node:fs';
import { tryOr } from '../../support/thrown.ts';
import { describeObject, type Finding } from '../lints/finding.ts';
import type { Client } from '../probes/statements.ts';

interface HeapFacts {
  /** Whether PostgreSQL runs on this machine and uses glibc. */
  readonly isConcerned: boolean;
  /** Of PostgreSQL, with one variable per element; undefined if only others may read it. */
  readonly environment: readonly string[] | undefined;
}

const HEAP_VARIABLES = ['MALLOC_TRIM_THRESHOLD_', 'MALLOC_MMAP_THRESHOLD_'] as const;

export function checkHeap({ isConcerned, environment }: HeapFacts): readonly Finding[] {
  const isSet = HEAP_VARIABLES.every((name) => environment?.some((variable) => variable.startsWith(`${name}=`)));
  if (!isConcerned || isSet) return [];
  const isKnown = environment !== undefined;
  return [
    describeObject({
      lint: 'returned-memory',
      level: 'note',
      object: 'PostgreSQL',
      message:
        'It returns the memory of large responses to the system after each statement' +
        `${isKnown ? '' : ', unless it is started with these variables'}; db-keep-heap only helps the connections of the API.`,
      fix: `Environment=${HEAP_VARIABLES[0]}=33554432 ${HEAP_VARIABLES[1]}=16777216`,
    }),
  ];
}

// Finds out whether PostgreSQL runs on this machine and with which environment.

/** A connection to another machine or to a container comes from an address other than the server's. */
const BACKEND = `SELECT pg_catalog.pg_backend_pid()::text AS pid,
  pg_catalog.version() ~ 'linux-gnu'
    AND pg_catalog.inet_server_addr() IS NOT DISTINCT FROM pg_catalog.inet_client_addr() AS is_concerned`;

export async function findHeapFacts(client: Client): Promise<HeapFacts> {
  const { rows } = await client.query<{ readonly pid: string; readonly is_concerned: boolean }>(BACKEND);
  const [row] = rows;
  return row?.is_concerned === true
    ? { isConcerned: true, environment: readEnvironment(row.pid) }
    : { isConcerned: false, environment: undefined };
}

/** Read from the parent, as backends overwrite their environment with their title. Only its user and root may. */
function readEnvironment(pid: string): readonly string[] | undefined {
  return tryOr(() => {
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    return readFileSync(`/proc/${parent}/environ`, 'utf8').split('\0');
  }, undefined);
}
