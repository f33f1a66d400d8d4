// Runs one program of the PostgreSQL distribution, as the user PostgreSQL runs as, with an environment of its own.
import { spawn } from 'node:child_process';
import type { ProcessUser } from './process-user.ts';

export interface CommandOutcome {
  readonly succeeded: boolean;
  /** What the program wrote to both streams, trimmed; the system's message when it could not be started. */
  readonly output: string;
}

// Nothing of the caller's environment but what a system needs to start a program: PG* variables would steer PostgreSQL,
// and secrets would be readable to every process of the database's user.
const PASSED_ON: ReadonlySet<string> = new Set(['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SYSTEMROOT', 'windir']);

export function databaseEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => PASSED_ON.has(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

export function runCommand(
  file: string,
  args: readonly string[],
  user: ProcessUser | undefined,
): Promise<CommandOutcome> {
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
