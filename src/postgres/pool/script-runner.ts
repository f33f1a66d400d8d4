// What runs the scripts of requests: a pool, or what stands before it.
import type { Pool } from './pool.ts';

export type ScriptRunner = Pick<Pool, 'runScript' | 'statistics'>;
