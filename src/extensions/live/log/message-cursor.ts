// Reads the fields of a replication message in order. Throws beyond its end, which ends the connection.

export class MessageCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Bytes of the message. */
  get length(): number {
    return this.#bytes.length;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  letter(): string {
    const code = this.#bytes.readUInt8(this.#at);
    this.#at += 1;
    return String.fromCharCode(code);
  }

  uint16(): number {
    const value = this.#bytes.readUInt16BE(this.#at);
    this.#at += 2;
    return value;
  }

  uint32(): number {
    const value = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  uint64(): bigint {
    const value = this.#bytes.readBigUInt64BE(this.#at);
    this.#at += 8;
    return value;
  }

  /** Ends with a zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw new RangeError('a text without an end');
    const value = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return value;
  }

  /** Begins with its length. @returns undefined if it has more bytes than `maximum` */
  sizedText(maximum: number): string | undefined {
    const length = this.uint32();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('a text beyond the message');
    const value = length > maximum ? undefined : this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return value;
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }
}
