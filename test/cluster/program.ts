// A program on a machine, which can be killed and started again.
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

  /** Resolves when it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
}

/** Processes that another one has started and that still run. */
export function listChildren(pid: number): readonly number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return list === '' ? [] : list.split(' ').map(Number);
}

/** None of them has time to notice what happened to another. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) kill(pid);
}

/** Sessions come and go: who has just ended is as good as killed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
