// In: the bytes a PostgreSQL server sends, cut anywhere. Out: one call per whole message, its body a view of those
// bytes. Owns no socket; first stage of every answer.
import { maxLength, minLength } from './message-type.ts';

/** One message; the decoder reuses the object, so a receiver keeps the bytes but never the object. */
export interface ServerMessage {
  readonly type: number;
  readonly bytes: Buffer;
  /** Where the body begins and ends within `bytes`. */
  readonly start: number;
  readonly end: number;
}

export interface MessageReceiver {
  receive(message: ServerMessage): void;
  /**
   * A long message has begun. @param length of its body
   * @returns who takes the body as it comes; undefined: it is received whole
   */
  receiveLong?(type: number, length: number): ((piece: Buffer) => void) | undefined;
}

const HEADER_LENGTH = 5;
/** Bytes of a message above which it may be taken piece by piece. */
const PIECEWISE_BYTES = 256 * 1024;

export class MessageDecoder {
  readonly #receiver: MessageReceiver;
  readonly #message: { type: number; bytes: Buffer; start: number; end: number };
  /** First bytes of a message whose length has not arrived yet. */
  readonly #header: Buffer = Buffer.alloc(HEADER_LENGTH);
  #headerFilled = 0;
  /** A message under way, at its exact size. */
  #partial: Buffer | undefined;
  #partialFilled = 0;
  /** Who takes the body of a long message under way. */
  #take: ((piece: Buffer) => void) | undefined;
  /** Bytes of it that are still to come. */
  #left = 0;
  #fault: string | undefined;
  #isStopped = false;

  constructor(receiver: MessageReceiver) {
    this.#receiver = receiver;
    this.#message = { type: 0, bytes: this.#header, start: 0, end: 0 };
  }

  /** Where the rest of a message belongs that is under way; what is read there is not copied. */
  get room(): Buffer | undefined {
    return this.#partial?.subarray(this.#partialFilled);
  }

  /** Bytes still to come of a long message that is taken as it comes; 0: there is none. */
  get left(): number {
    return this.#take === undefined ? 0 : this.#left;
  }

  /** No message is delivered after this, not even from the chunk at hand. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Describes the fault when the bytes are no PostgreSQL protocol: the connection is unusable from there on. */
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
    const length = this.#readLength(chunk, offset);
    const end = offset + 1 + length;
    if (end > chunk.length) {
      if (length > 0) this.#openPartial(chunk.subarray(offset), length);
      return chunk.length;
    }
    if (length > 0) this.#deliver(chunk, offset, end);
    return end;
  }

  #fillHeader(chunk: Buffer, offset: number): number {
    const copied = chunk.copy(this.#header, this.#headerFilled, offset);
    this.#headerFilled += copied;
    if (this.#headerFilled === HEADER_LENGTH) {
      this.#headerFilled = 0;
      const length = this.#readLength(this.#header, 0);
      if (length > 0) this.#openPartial(this.#header, length);
    }
    return offset + copied;
  }

  #passPiece(take: (piece: Buffer) => void, chunk: Buffer, offset: number): number {
    const end = Math.min(chunk.length, offset + this.#left);
    this.#left -= end - offset;
    if (this.#left === 0) this.#take = undefined;
    if (end > offset) take(chunk.subarray(offset, end));
    return end;
  }

  #openPartial(begin: Buffer, length: number): void {
    if (length > PIECEWISE_BYTES) {
      this.#take = this.#receiver.receiveLong?.(begin.readUInt8(0), length - 4);
      this.#left = length - 4;
      if (this.#take !== undefined) return void this.#passPiece(this.#take, begin, HEADER_LENGTH);
    }
    const partial = Buffer.allocUnsafeSlow(1 + length);
    this.#partialFilled = begin.copy(partial);
    if (this.#partialFilled === partial.length) this.#deliver(partial, 0, partial.length);
    else this.#partial = partial;
  }

  #fillPartial(partial: Buffer, chunk: Buffer, offset: number): number {
    const isThere = chunk.buffer === partial.buffer;
    const taken = isThere ? chunk.length : chunk.copy(partial, this.#partialFilled, offset);
    this.#partialFilled += taken;
    if (this.#partialFilled === partial.length) {
      this.#partial = undefined;
      this.#deliver(partial, 0, partial.length);
    }
    return offset + taken;
  }

  /** The length field of the message at `offset`; 0 after a fault. */
  #readLength(bytes: Buffer, offset: number): number {
    const type = bytes.readUInt8(offset);
    const length = bytes.readInt32BE(offset + 1);
    if (length >= minLength(type) && length <= maxLength(type)) return length;
    this.#fault = `unexpected message from the database server: type 0x${type.toString(16)}, length ${length}`;
    this.#isStopped = true;
    return 0;
  }

  #deliver(bytes: Buffer, begin: number, end: number): void {
    const message = this.#message;
    message.type = bytes.readUInt8(begin);
    message.bytes = bytes;
    message.start = begin + HEADER_LENGTH;
    message.end = end;
    this.#receiver.receive(message);
  }
}
