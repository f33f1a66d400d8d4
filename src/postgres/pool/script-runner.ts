// Runs the scripts of requests: a pool, or a component in front of one.
import type { Pool } from './pool.ts';

export type ScriptRunner = Pick<Pool, 'runScript' | 'statistics'>;
