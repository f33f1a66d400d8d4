// Runs the tests of a project, as a command in a process group of its own, so that all of it can be ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TestCommand {
  /** The program and its arguments. */
  readonly words: readonly [string, ...string[]];
  readonly environment: NodeJS.ProcessEnv;
  /** Descriptor of a file that receives everything printed; undefined: nobody reads it. */
  readonly output: number | undefined;
  /** In milliseconds; undefined: there is none. */
  readonly limit: number | undefined;
  /** Ends the tests. */
  readonly signal: AbortSignal;
}

export interface TestRun {
  readonly kind: 'passed' | 'failed' | 'timedOut' | 'interrupted';
  readonly milliseconds: number;
}

const IS_WINDOWS = process.platform === 'win32';
/** For a test runner to clean up. */
const GRACE_MS = 2000;

/** Rejects if the program cannot be started. */
export async function runTests({ words, environment, output, limit, signal }: TestCommand): Promise<TestRun> {
  const [program, ...args] = words;
  const sink = output ?? 'ignore';
  const start = performance.now();
  const child = spawn(program, args, {
    env: environment,
    stdio: ['ignore', sink, sink],
    detached: !IS_WINDOWS,
    // A batch file, such as `npm`, needs a shell.
    shell: IS_WINDOWS,
    windowsHide: true,
  });
  const timeout = limit === undefined ? undefined : AbortSignal.timeout(limit);
  const ends = AbortSignal.any([signal, ...(timeout === undefined ? [] : [timeout])]);
  // Rejects if it does not start.
  const exited = once(child, 'exit').then(([code]: unknown[]) => code === 0);
  const hasPassed = await Promise.race([exited, once(ends, 'abort').then(() => undefined)]);
  if (hasPassed === undefined) {
    signalGroup(child, 'SIGTERM');
    await Promise.race([exited, sleep(GRACE_MS, undefined, { ref: false })]);
    // What the program has started may outlive it.
    signalGroup(child, 'SIGKILL');
    await exited;
  }
  const kind = signal.aborted ? 'interrupted' : hasPassed === undefined ? 'timedOut' : hasPassed ? 'passed' : 'failed';
  return { kind, milliseconds: performance.now() - start };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (IS_WINDOWS) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}
