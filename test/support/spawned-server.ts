// Runs the program in a separate process, with arguments, environment, signals, streams and exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { toVariables, type Options } from './local-server.ts';
import { workerOptions } from './workers.ts';
import { until } from './until.ts';
import { whenOver } from './use.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Spawned {
  readonly stdout: () => string;
  readonly stderr: () => string;
  signal(name: NodeJS.Signals): void;
  logged(pattern: RegExp): Promise<void>;
  /** Resolves with the exit code. */
  ended(): Promise<number | null>;
  kill(): void;
}

export interface SpawnOptions {
  readonly options?: Options;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly folder?: string;
}

/** Kills the program after the test or the file. */
export function spawnServer(args: readonly string[], spawnOptions: SpawnOptions = {}): Spawned {
  const spawned = launch(args, spawnOptions);
  whenOver(() => spawned.kill());
  return spawned;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program until it exits. */
export async function runProgram(args: readonly string[], spawnOptions: SpawnOptions = {}): Promise<Ended> {
  const spawned = launch(args, spawnOptions);
  const code = await spawned.ended();
  return { code, stdout: spawned.stdout(), stderr: spawned.stderr() };
}

function launch(args: readonly string[], spawnOptions: SpawnOptions): Spawned {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:SVC_|PGRST_|PG|DATABASE_URL$|PORT$)/u.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    ...toVariables({ ...workerOptions(), ...spawnOptions.options }),
    ...spawnOptions.environment,
  };
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd: spawnOptions.folder, stdio: 'pipe' });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const closed = once(child, 'close');
  child.stdin.end(spawnOptions.input ?? '');
  const stderr = (): string => written.stderr;
  return {
    stdout: () => written.stdout,
    stderr,
    signal: (name) => child.kill(name),
    logged: async (pattern) => {
      await until(() => pattern.test(written.stderr), { seconds: 20, why: () => `${pattern} in\n${written.stderr}` });
    },
    ended: async () => {
      await closed;
      return child.exitCode;
    },
    kill: () => child.kill('SIGKILL'),
  };
}
