// In: the bytes that one socket brings. Out: the socket rests until the next turn of the event loop whenever it has brought
// so many. By itself one with much to bring is read 32 times before any other is looked at: 2 MB, and milliseconds, a turn.
import type { Socket } from 'node:net';

/** Bytes after which the others are served. */
const TURN = 128 * 1024;

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
    setImmediate(() => {
      this.#isResting = false;
      if (!this.#isPaused) this.#socket.resume();
    });
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
