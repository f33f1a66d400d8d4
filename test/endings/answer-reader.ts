// Reads responses from the bytes of a connection, and for each whether a client can tell that it is complete (RFC 9112
// §6, §8).

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** `part`: the connection was closed or reset before the framing marks the end of the response. */
  readonly ending: 'whole' | 'part';
}

interface Opened {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly pieces: Buffer[];
}

type Framing =
  | { readonly kind: 'head' }
  | { readonly kind: 'length' | 'chunk'; left: number }
  | { readonly kind: 'chunkSize' | 'chunkEnd' | 'trailers' | 'untilClose' };

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

export class AnswerReader {
  readonly answers: Answer[] = [];
  /** Bytes received so far. */
  size = 0;
  readonly #hasBody: boolean;
  #framing: Framing = { kind: 'head' };
  #pending: Buffer = Buffer.alloc(0);
  #opened: Opened | undefined;

  /** @param method of the requests: responses to HEAD have no body */
  constructor(method: string) {
    this.#hasBody = method !== 'HEAD';
  }

  /** The status of the response being received. */
  get openStatus(): number | undefined {
    return this.#opened?.status;
  }

  add(bytes: Buffer): void {
    this.size += bytes.length;
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    while (this.#step());
  }

  /** Handles the end of the connection: an open response is incomplete, unless a clean close is its framing. */
  close(isReset: boolean): void {
    if (this.#opened === undefined) return;
    this.#finish(this.#framing.kind === 'untilClose' && !isReset ? 'whole' : 'part');
  }

  /** @returns whether more of the pending bytes can be parsed */
  #step(): boolean {
    const framing = this.#framing;
    switch (framing.kind) {
      case 'head':
        return this.#readHead();
      case 'chunkSize':
        return this.#readChunkSize();
      case 'chunkEnd':
        return this.#readLine((line) => this.#expectEmpty(line, { kind: 'chunkSize' }));
      case 'trailers':
        return this.#readLine((line) => line === '' && this.#finish('whole'));
      case 'untilClose':
        return this.#takePiece(this.#pending.length) > 0;
      case 'length':
      case 'chunk':
        framing.left -= this.#takePiece(Math.min(framing.left, this.#pending.length));
        if (framing.left > 0) return false;
        if (framing.kind === 'length') this.#finish('whole');
        else this.#framing = { kind: 'chunkEnd' };
        return true;
    }
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(HEAD_END);
    if (end < 0) return false;
    const [first = '', ...lines] = this.#take(end + HEAD_END.length)
      .toString('latin1')
      .trimEnd()
      .split(LINE_END);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /u.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no status line: ${first.slice(0, 200)}`);
    // A final response follows an informational one.
    if (status < 200) return true;
    const headers = new Map(lines.map(splitHeader));
    this.#opened = { status, headers, pieces: [] };
    this.#begin(status, headers);
    return true;
  }

  #begin(status: number, headers: ReadonlyMap<string, string>): void {
    const coding = headers.get('transfer-encoding');
    const length = headers.get('content-length');
    if (!this.#hasBody || status === 204 || status === 304) this.#finish('whole');
    else if (coding !== undefined) {
      if (coding !== 'chunked' || length !== undefined) throw new Error(`conflicting framing: ${coding}, ${length}`);
      this.#framing = { kind: 'chunkSize' };
    } else if (length === undefined) this.#framing = { kind: 'untilClose' };
    else this.#framing = { kind: 'length', left: Number(length) };
  }

  #readChunkSize(): boolean {
    return this.#readLine((line) => {
      if (!/^[\da-f]+$/iu.test(line)) throw new Error(`no chunk size: ${line.slice(0, 200)}`);
      const left = Number.parseInt(line, 16);
      this.#framing = left === 0 ? { kind: 'trailers' } : { kind: 'chunk', left };
    });
  }

  #expectEmpty(line: string, next: Framing): void {
    if (line !== '') throw new Error(`a chunk longer than its size: ${line.slice(0, 200)}`);
    this.#framing = next;
  }

  #readLine(use: (line: string) => unknown): boolean {
    const end = this.#pending.indexOf(LINE_END);
    if (end < 0) return false;
    use(this.#take(end + LINE_END.length).toString('latin1', 0, end));
    return true;
  }

  #take(length: number): Buffer {
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    return taken;
  }

  #takePiece(length: number): number {
    if (length > 0) this.#opened?.pieces.push(this.#take(length));
    return length;
  }

  #finish(ending: Answer['ending']): void {
    const { status = 0, headers = new Map<string, string>(), pieces = [] } = this.#opened ?? {};
    this.answers.push({ status, headers, body: Buffer.concat(pieces), ending });
    this.#opened = undefined;
    this.#framing = { kind: 'head' };
  }
}

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
