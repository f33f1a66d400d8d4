// The primary's side of one worker: starts its process, forwards its log, sends it questions and hands it connections.
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { LogOutput } from '../observe/logger.ts';
import type { WorkerLink } from '../serve/extension.ts';
import { waitAtMost } from '../service/scheduling/waiting.ts';
import { type Answer, isWorkerMessage, type PrimaryMessage, type Question, type WorkerMessage } from './messages.ts';

export type WorkerReport = Extract<
  WorkerMessage,
  { kind: 'launched' | 'ready' | 'ask' | 'loss' | 'recovered' | 'fatal' }
>;

export interface WorkerProcessOptions {
  readonly output: LogOutput;
  readonly onReport: (report: WorkerReport) => void;
  /** Called when the worker can take the next connection. */
  readonly onFree: () => void;
  /** Called once. */
  readonly onEnd: (end: WorkerEnd) => void;
}

export interface WorkerEnd {
  /** For example `signal SIGKILL` or `exit code 1`. */
  readonly cause: string;
  /** A connection in transit that has not arrived. */
  readonly connection: Socket | undefined;
}

export class WorkerProcess implements WorkerLink {
  readonly #options: WorkerProcessOptions;
  readonly #child: ChildProcess;
  readonly #pending: Map<number, (answer: Answer | undefined) => void> = new Map();
  #sentCount = 0;
  /** A connection in transit to the worker. Kept until it arrives, so that another worker can take it. */
  #connection: Socket | undefined;
  #isReady = false;
  #isGone = false;
  #cutOff = 0;
  readonly #hasEnded: Promise<void>;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.#child = fork(WORKER_PROGRAM, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Only one process can use the debugger's port.
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
    });
    const { stdout, stderr } = this.#child;
    passOn(stdout, (line) => options.output.writeOut(line));
    passOn(stderr, (line) => options.output.writeError(line));
    this.#child.on('message', (message: unknown) => {
      if (isWorkerMessage(message)) this.#receive(message);
    });
    // `close` reports the failure too.
    this.#child.on('error', () => {});
    this.#hasEnded = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        // All of the worker's messages have been read.
        this.#isGone = true;
        const connection = this.#connection;
        this.#connection = undefined;
        for (const settle of this.#pending.values()) settle(undefined);
        this.#options.onEnd({ cause: signal === null ? `exit code ${code}` : `signal ${signal}`, connection });
        resolve();
      });
    });
  }

  /** 0 if the system could not start the process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether the worker serves requests. */
  get isReady(): boolean {
    return this.#isReady && !this.#isGone;
  }

  /** Whether the worker can take a connection. */
  get isFree(): boolean {
    return this.isReady && this.#connection === undefined;
  }

  send(message: PrimaryMessage): void {
    if (!this.#isGone) this.#child.send(message, undefined, {}, () => {});
  }

  tell(extension: string, news: unknown): void {
    this.send({ kind: 'news', extension, news });
  }

  /** @returns undefined if the worker ends before it answers, or takes too long */
  async ask(question: Question, timeoutMs: number): Promise<Answer | undefined> {
    if (this.#isGone) return undefined;
    this.#sentCount += 1;
    const id = this.#sentCount;
    let answer: Answer | undefined;
    const answered = new Promise<void>((resolve) => {
      this.#pending.set(id, (received) => {
        answer = received;
        resolve();
      });
    });
    this.send({ kind: 'question', id, question });
    await waitAtMost(timeoutMs, answered);
    this.#pending.delete(id);
    return answer;
  }

  /** @param socket that has not been read from; call only while `isFree` */
  handOver(socket: Socket): void {
    this.#connection = socket;
    this.#child.send({ kind: 'connection' } satisfies PrimaryMessage, socket, { keepOpen: true }, () => {});
  }

  /** Resolves when the process has ended, by itself or by force. @returns the number of requests that were cut off */
  async stop(deadline: number): Promise<number> {
    const milliseconds = Math.max(0, deadline - performance.now());
    if (this.#isReady) {
      this.send({ kind: 'end', milliseconds });
      await waitAtMost(milliseconds + EXTRA_MS, this.#hasEnded);
    }
    this.kill();
    await this.#hasEnded;
    return this.#cutOff;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'done':
        return this.#pending.get(message.id)?.(message.answer);
      case 'received':
        this.#connection?.destroy();
        this.#connection = undefined;
        return this.#options.onFree();
      case 'ended':
        this.#cutOff = message.cutOff;
        return;
      case 'ready':
        this.#isReady = true;
        return this.#options.onReport(message);
      case 'launched':
      case 'ask':
      case 'loss':
      case 'recovered':
      case 'fatal':
        return this.#options.onReport(message);
    }
  }
}

/** Additional time for a worker to close its database connections and exit. */
const EXTRA_MS = 2000;

function passOn(stream: Readable | null, write: (line: string) => void): void {
  const splitter = new LineSplitter(write);
  stream?.setEncoding('utf8').on('data', (piece: string) => splitter.push(piece));
  stream?.on('end', () => splitter.end());
}

/**
 * Splits the output of a worker into log lines. Passes on each line without its line feed; `end` passes on an
 * incomplete last line.
 */
export class LineSplitter {
  readonly #write: (line: string) => void;
  #rest = '';

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  push(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#write(line);
  }

  end(): void {
    if (this.#rest !== '') this.#write(this.#rest);
    this.#rest = '';
  }
}

/** Path of the program that a worker runs. Correct both for built code and when run from source. */
const WORKER_PROGRAM: string = fileURLToPath(new URL('../../dist/cli/worker.js', import.meta.url));
