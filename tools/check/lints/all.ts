// All lints, in the order of `project.md` §6 item 2.
import { ACCESS_LINTS } from './access.ts';
import { DISTRIBUTED_LINTS } from './distributed.ts';
import { FUNCTION_LINTS } from './functions.ts';
import type { Lint } from './lint.ts';
import { RUNNING_LINTS } from './running.ts';
import { TABLE_LINTS } from './tables.ts';

/** Of any database. */
export const LINTS: readonly Lint[] = [...ACCESS_LINTS, ...FUNCTION_LINTS, ...TABLE_LINTS, ...DISTRIBUTED_LINTS];

/** Of a database that a server is configured for. */
export const DOCTOR_LINTS: readonly Lint[] = [...LINTS, ...RUNNING_LINTS];
