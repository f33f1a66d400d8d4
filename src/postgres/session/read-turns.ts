// Shares the event loop between sockets. A socket that has delivered a full quota is paused, and one paused socket
// resumes per turn of the event loop. By default, Node reads a busy socket 32 times in a row: 2 MB and several
// milliseconds per turn, which ten such sockets would multiply for everyone else.
import type { Socket } from 'node:net';

/** Bytes after which other sockets get their turn. */
const TURN = 128 * 1024;

/** Sockets waiting for their turn, shared by all connections because they share one event loop. */
const resting: ReadTurns[] = [];

/** Resumes the next waiting socket; skips those that were paused in the meantime. */
function goOn(): void {
  while (resting.shift()?.endRest() === false);
  if (resting.length > 0) setImmediate(goOn);
}

export class ReadTurns {
  readonly #socket: Socket;
  #left = TURN;
  #isResting = false;
  #isPaused = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  count(bytes: number): void {
    this.#left -= bytes;
    if (this.#left > 0 || this.#isResting) return;
    this.#left = TURN;
    this.#isResting = true;
    this.#socket.pause();
    resting.push(this);
    if (resting.length === 1) setImmediate(goOn);
  }

  /** @returns whether the socket is being read again */
  endRest(): boolean {
    this.#isResting = false;
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
    if (!this.#isResting) this.#socket.resume();
  }
}
