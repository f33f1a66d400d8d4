// A socket that reads into memory which its reader offers, so that a large message arrives where it stays. By itself,
// Node takes new 64 kB for each read, and the message has to be copied together.
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';

const SLAB_SIZE = 64 * 1024;
/** With less left than this, the next read gets a new slab. */
const LEAST_ROOM = 8 * 1024;

export class ReadingSocket extends Socket {
  /** Where the reader wants the next bytes; undefined: anywhere. */
  offerRoom: (() => Buffer | undefined) | undefined;

  constructor() {
    const reads = new Reads();
    const options: SocketConstructorOpts & ConnectOpts = {
      onread: { buffer: () => reads.takeRoom(), callback: (length) => reads.pass(length) },
    };
    super(options);
    reads.socket = this;
  }
}

/** Bytes are never written over: who has received some may keep them. */
class Reads {
  socket: ReadingSocket | undefined;
  #slab: Buffer = Buffer.allocUnsafeSlow(SLAB_SIZE);
  #used = 0;
  #offered: Buffer | undefined;

  takeRoom(): Buffer {
    this.#offered = this.socket?.offerRoom?.();
    if (this.#offered !== undefined) return this.#offered;
    if (SLAB_SIZE - this.#used < LEAST_ROOM) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_SIZE);
      this.#used = 0;
    }
    return this.#slab.subarray(this.#used);
  }

  pass(length: number): true {
    const bytes = this.#offered?.subarray(0, length) ?? this.#slab.subarray(this.#used, this.#used + length);
    if (this.#offered === undefined) this.#used += length;
    this.socket?.emit('data', bytes);
    return true;
  }
}
