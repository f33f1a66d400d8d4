// A program on a machine, which can be killed and restarted.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Machine, SpawnOptions } from './network.ts';

export class Program {
  readonly #machine: Machine;
  readonly #command: readonly string[];
  readonly #options: SpawnOptions;
  #child: ChildProcess | undefined;

  constructor(machine: Machine, command: readonly string[], options: SpawnOptions) {
    this.#machine = machine;
    this.#command = command;
    this.#options = options;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`${this.#command[0]} does not run`);
    return this.#child.pid;
  }

  start(): void {
    this.#child = this.#machine.spawn(this.#command, this.#options);
  }

  /** Resolves when the program has exited. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
}

/** Returns the running children of a process. */
export function listChildren(pid: number): readonly number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return list === '' ? [] : list.split(' ').map(Number);
}

/** Kills processes without giving any of them time to react to the death of another. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) kill(pid);
}

/** Sessions come and go: one that has just exited counts as killed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
