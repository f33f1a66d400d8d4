// A socket that reads into memory provided by its consumer, so that large messages need no copy. By default, Node
// allocates a new 64 kB buffer per read, and messages must be assembled from them.
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';

const SLAB_SIZE = 64 * 1024;
/** With less free space, the next read gets a new slab. */
const MIN_SPACE = 8 * 1024;

export class ReadingSocket extends Socket {
  /** Returns the buffer for the next read; undefined reads into the slab. */
  provideBuffer: (() => Buffer | undefined) | undefined;

  constructor() {
    const reads = new Reads();
    const options: SocketConstructorOpts & ConnectOpts = {
      onread: { buffer: () => reads.provideBuffer(), callback: (length) => reads.pass(length) },
    };
    super(options);
    reads.socket = this;
  }
}

/** Never overwrites bytes in a slab: consumers may keep them. */
class Reads {
  socket: ReadingSocket | undefined;
  #slab: Buffer = Buffer.allocUnsafeSlow(SLAB_SIZE);
  #used = 0;
  #offered: Buffer | undefined;

  provideBuffer(): Buffer {
    this.#offered = this.socket?.provideBuffer?.();
    if (this.#offered !== undefined) return this.#offered;
    if (SLAB_SIZE - this.#used < MIN_SPACE) {
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
