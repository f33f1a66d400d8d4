// The writing side of a connection: each batch goes out by itself, or several in one write.
import type { Socket } from 'node:net';
import type { Pieces } from '../../contract/transaction.ts';

/** Bytes of a write above which its pieces are not copied. */
const MAX_JOINED = 65_536;

export class GatheringWriter {
  readonly #socket: Socket;
  /** What is to go out in one write; undefined: each batch by itself. */
  #gathered: Uint8Array[] | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  write(batch: Pieces): void {
    if (this.#gathered === undefined) this.#send(batch);
    else this.#gathered.push(...batch);
  }

  /** Sends what `work` writes in one write. */
  gather(work: () => void): void {
    const gathered: Uint8Array[] = (this.#gathered = []);
    try {
      work();
    } finally {
      this.#gathered = undefined;
      this.#send(gathered);
    }
  }

  /** In one piece where they are short, since to copy them costs less than to queue each. */
  #send(pieces: Pieces): void {
    let size = 0;
    for (const { length } of pieces) size += length;
    const sent = pieces.length > 1 && size <= MAX_JOINED ? [Buffer.concat(pieces, size)] : pieces;
    if (sent.length > 1) this.#socket.cork();
    for (const piece of sent) this.#socket.write(piece);
    if (sent.length > 1) this.#socket.uncork();
  }
}
