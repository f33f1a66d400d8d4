// Runs a program of the PostgreSQL distribution as the database user, with a minimal environment.
import { spawn } from 'node:child_process';
import type { ProcessUser } from './process-user.ts';

export interface ProgramOutcome {
  readonly succeeded: boolean;
  /** Output of both streams, trimmed; the system's error message if the program could not be started. */
  readonly output: string;
}

// Only the variables that a system needs to start a program: PG* variables would configure PostgreSQL, and processes of
// the database user could read secrets.
const INHERITED: ReadonlySet<string> = new Set([
  'PATH',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SYSTEMROOT',
  'windir',
  'MALLOC_TRIM_THRESHOLD_',
  'MALLOC_MMAP_THRESHOLD_',
]);

/**
 * In bytes; for glibc. With its defaults, a backend returns memory above 128 kB to the system after each statement and
 * pays for it again in the next: most of the time of responses above 50 kB.
 */
const HEAP_THRESHOLDS = { MALLOC_TRIM_THRESHOLD_: '33554432', MALLOC_MMAP_THRESHOLD_: '16777216' };

export function databaseEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => INHERITED.has(name));
  return { ...HEAP_THRESHOLDS, ...Object.fromEntries(kept), LC_ALL: 'C' };
}

export function runProgram(
  file: string,
  args: readonly string[],
  user: ProcessUser | undefined,
): Promise<ProgramOutcome> {
  const child = spawn(file, args, {
    ...user,
    cwd: '/',
    env: databaseEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.on('close', (code) => resolve({ succeeded: code === 0, output: output.trim() }));
  });
}
