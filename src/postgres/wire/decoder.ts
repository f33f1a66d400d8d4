// Splits the bytes from a PostgreSQL server, which arrive in arbitrary chunks, into messages. Calls the receiver once
// per complete message; the body is a view of the received bytes. Does not own the socket.
import { MAX_LENGTH, MIN_LENGTH } from './message-type.ts';

/** One message. The decoder reuses this object, so a receiver may keep `bytes` but not the object itself. */
export interface ServerMessage {
  readonly type: number;
  readonly bytes: Buffer;
  /** Bounds of the body within `bytes`. */
  readonly start: number;
  readonly end: number;
}

export interface MessageReceiver {
  receive(message: ServerMessage): void;
  /**
   * Called when a long message begins. @param length of its body in bytes
   * @returns a callback that takes the body piece by piece, or undefined to receive the message whole
   */
  receiveLong?(type: number, length: number): ((piece: Buffer) => void) | undefined;
}

const HEADER_LENGTH = 5;
/** Larger messages may be delivered in pieces, in bytes. */
const PIECEWISE_BYTES = 256 * 1024;

export class MessageDecoder {
  readonly #receiver: MessageReceiver;
  readonly #message: { type: number; bytes: Buffer; start: number; end: number };
  /** First bytes of a message whose length has not arrived yet. */
  readonly #header: Buffer = Buffer.alloc(HEADER_LENGTH);
  #headerFilled = 0;
  /** A message that has arrived only in part, in a buffer of its exact size. */
  #partial: Buffer | undefined;
  #partialFilled = 0;
  /** Receives the body of the long message that is arriving. */
  #take: ((piece: Buffer) => void) | undefined;
  /** Bytes of that body that have not arrived. */
  #remaining = 0;
  #fault: string | undefined;
  #isStopped = false;

  constructor(receiver: MessageReceiver) {
    this.#receiver = receiver;
    this.#message = { type: 0, bytes: this.#header, start: 0, end: 0 };
  }

  /** Free space for the rest of an incomplete message. Bytes read into it need no copy. */
  get freeSpace(): Buffer | undefined {
    return this.#partial?.subarray(this.#partialFilled);
  }

  /** Bytes that remain of a message being delivered in pieces; 0 if there is none. */
  get remaining(): number {
    return this.#take === undefined ? 0 : this.#remaining;
  }

  /** Delivers no further message, not even from the current chunk. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Returns an error text if the bytes violate the PostgreSQL protocol; the connection is then unusable. */
  push(chunk: Buffer): string | undefined {
    let offset = 0;
    while (offset < chunk.length && !this.#isStopped) {
      if (this.#take !== undefined) {
        offset = this.#passPiece(this.#take, chunk, offset);
      } else if (this.#partial !== undefined) {
        offset = this.#fillPartial(this.#partial, chunk, offset);
      } else if (this.#headerFilled > 0 || chunk.length - offset < HEADER_LENGTH) {
        offset = this.#fillHeader(chunk, offset);
      } else {
        offset = this.#takeMessage(chunk, offset);
      }
    }
    return this.#fault;
  }

  #takeMessage(chunk: Buffer, offset: number): number {
    const type = chunk.readUInt8(offset);
    const length = chunk.readInt32BE(offset + 1);
    if (length < (MIN_LENGTH[type] ?? 4) || length > (MAX_LENGTH[type] ?? 0)) return this.#fail(type, length);
    const end = offset + 1 + length;
    if (end > chunk.length) {
      this.#openPartial(chunk.subarray(offset), length);
      return chunk.length;
    }
    const message = this.#message;
    message.type = type;
    message.bytes = chunk;
    message.start = offset + HEADER_LENGTH;
    message.end = end;
    this.#receiver.receive(message);
    return end;
  }

  #fillHeader(chunk: Buffer, offset: number): number {
    const copied = chunk.copy(this.#header, this.#headerFilled, offset);
    this.#headerFilled += copied;
    if (this.#headerFilled === HEADER_LENGTH) {
      this.#headerFilled = 0;
      // The message may be complete already, if it has no body.
      this.#takeMessage(this.#header, 0);
    }
    return offset + copied;
  }

  #passPiece(take: (piece: Buffer) => void, chunk: Buffer, offset: number): number {
    const end = Math.min(chunk.length, offset + this.#remaining);
    this.#remaining -= end - offset;
    if (this.#remaining === 0) this.#take = undefined;
    if (end > offset) take(chunk.subarray(offset, end));
    return end;
  }

  #openPartial(begin: Buffer, length: number): void {
    if (length > PIECEWISE_BYTES) {
      this.#take = this.#receiver.receiveLong?.(begin.readUInt8(0), length - 4);
      this.#remaining = length - 4;
      if (this.#take !== undefined) return void this.#passPiece(this.#take, begin, HEADER_LENGTH);
    }
    const partial = Buffer.allocUnsafeSlow(1 + length);
    this.#partialFilled = begin.copy(partial);
    if (this.#partialFilled === partial.length) this.#takeMessage(partial, 0);
    else this.#partial = partial;
  }

  #fillPartial(partial: Buffer, chunk: Buffer, offset: number): number {
    const isInPlace = chunk.buffer === partial.buffer;
    const taken = isInPlace ? chunk.length : chunk.copy(partial, this.#partialFilled, offset);
    this.#partialFilled += taken;
    if (this.#partialFilled === partial.length) {
      this.#partial = undefined;
      this.#takeMessage(partial, 0);
    }
    return offset + taken;
  }

  /** @returns an offset, which is not used after a fault */
  #fail(type: number, length: number): number {
    this.#fault = `unexpected message from the database server: type 0x${type.toString(16)}, length ${length}`;
    this.#isStopped = true;
    return 0;
  }
}
