// Shares the event loop between sockets. A socket that has delivered a full quota is paused, and one paused socket
// resumes per turn of the event loop. By default, Node reads a busy socket 32 times in a row: 2 MB and several
// milliseconds per turn, which ten such sockets would multiply for everyone else.
import type { Socket } from 'node:net';

/** Bytes after which other sockets get their turn. */
const QUOTA = 128 * 1024;

/** Sockets waiting for their turn, shared by all connections because they share one event loop. */
const waiting: ReadThrottle[] = [];

/** Resumes the next waiting socket; skips those that were paused in the meantime. */
function resumeNext(): void {
  while (waiting.shift()?.resumeReading() === false);
  if (waiting.length > 0) setImmediate(resumeNext);
}

export class ReadThrottle {
  readonly #socket: Socket;
  #remaining = QUOTA;
  #isWaiting = false;
  #isPaused = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  count(bytes: number): void {
    this.#remaining -= bytes;
    if (this.#remaining > 0 || this.#isWaiting) return;
    this.#remaining = QUOTA;
    this.#isWaiting = true;
    this.#socket.pause();
    waiting.push(this);
    if (waiting.length === 1) setImmediate(resumeNext);
  }

  /** @returns whether the socket is being read again */
  resumeReading(): boolean {
    this.#isWaiting = false;
    if (!this.#isPaused) this.#socket.resume();
    return !this.#isPaused;
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isWaiting) this.#socket.resume();
  }
}
