// Writes batches to a socket, individually or gathered into a single write.
import type { Socket } from 'node:net';
import type { Pieces } from '../../contract/transaction.ts';

/** Pieces of larger writes are not joined, in bytes. */
const MAX_JOINED = 65_536;

export class GatheringWriter {
  readonly #socket: Socket;
  /** Pieces collected for a single write; undefined writes each batch immediately. */
  #gathered: Uint8Array[] | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  write(batch: Pieces): void {
    if (this.#gathered === undefined) this.#send(batch);
    else this.#gathered.push(...batch);
  }

  /** Gathers everything that `work` writes into a single write. */
  gather(work: () => void): void {
    const gathered: Uint8Array[] = (this.#gathered = []);
    try {
      work();
    } finally {
      this.#gathered = undefined;
      this.#send(gathered);
    }
  }

  /** Joins short pieces, since copying them costs less than queuing each one. */
  #send(pieces: Pieces): void {
    let size = 0;
    for (const { length } of pieces) size += length;
    const sent = pieces.length > 1 && size <= MAX_JOINED ? [Buffer.concat(pieces, size)] : pieces;
    if (sent.length > 1) this.#socket.cork();
    for (const piece of sent) this.#socket.write(piece);
    if (sent.length > 1) this.#socket.uncork();
  }
}
