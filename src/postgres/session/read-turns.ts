// In: the bytes that sockets bring. Out: a socket rests whenever it has brought so many, and one of those that rest goes on in
// each turn of the event loop. By itself one with much to bring is read 32 times before any other is looked at: 2 MB, and
// milliseconds, a turn; and ten of them make a turn ten times as long for everybody else.
import type { Socket } from 'node:net';

/** Bytes after which the others are served. */
const TURN = 128 * 1024;

/** Of all connections, which share one event loop. */
const resting: ReadTurns[] = [];

/** One that has been paused meanwhile takes no turn. */
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

  /** @returns whether it is read again */
  endRest(): boolean {
    this.#isResting = false;
    if (!this.#isPaused) this.#socket.resume();
    return !this.#isPaused;
  }

  /** Nothing is read until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isResting) this.#socket.resume();
  }
}
