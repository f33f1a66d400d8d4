// Checks whether a PostgreSQL on this machine keeps the memory of large responses (`docs/decisions/heap.md`).
import type { Finding } from './checks/finding.ts';

export interface HeapFacts {
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
    {
      severity: 'info',
      code: 'returned-memory',
      object: 'PostgreSQL',
      why:
        'It returns the memory of large responses to the system after each statement' +
        `${isKnown ? '' : ', unless it is started with these variables'}; db-keep-heap only helps the connections of the API.`,
      mend: `Environment=${HEAP_VARIABLES[0]}=33554432 ${HEAP_VARIABLES[1]}=16777216`,
    },
  ];
}
