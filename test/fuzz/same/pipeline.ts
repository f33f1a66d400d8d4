// A kept-alive connection that sends several requests in one write and reads their responses as bytes: status line,
// header lines in their order, and body.
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly statusLine: string;
  /** As sent, for example `Content-Type: text/csv`. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** `undefined`: the connection was closed before the response, or in the middle of it. */
export type Answers = readonly (RawAnswer | undefined)[];

export interface RawRequest {
  readonly method: string;
  readonly bytes: Buffer;
}

const TIMEOUT_MS = 120_000;
const HEAD_END = '\r\n\r\n';
const [CR_LF, BODILESS] = ['\r\n', /^HTTP\/1\.1 (?:1..|204|304) /u];

export class Pipeline {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves with one answer per request. A connection that the server closes is opened again for the next call. */
  send(requests: readonly RawRequest[]): Promise<Answers> {
    const socket = (this.#socket ??= connect({ host: '127.0.0.1', port: this.#port, noDelay: true }));
    return new Promise((resolve, reject) => {
      const answers: RawAnswer[] = [];
      let received: Buffer = Buffer.alloc(0);
      const finish = (): void => {
        socket.removeAllListeners().on('error', () => undefined);
        if (answers.length < requests.length || isLast(answers.at(-1))) this.close();
        resolve(requests.map((_, index) => answers[index]));
      };
      socket.setTimeout(TIMEOUT_MS, () => {
        this.close();
        reject(new Error(`no response to ${requests[answers.length]?.bytes.toString('latin1').slice(0, 300)}`));
      });
      socket.on('error', finish).on('close', finish);
      socket.on('data', (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        for (;;) {
          const request = requests[answers.length];
          const read = request === undefined ? undefined : readAnswer(received, request.method);
          if (read === undefined) return;
          received = received.subarray(read.end);
          answers.push(read.answer);
          if (answers.length === requests.length || isLast(read.answer)) return finish();
        }
      });
      socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)));
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

export function headerOf(answer: RawAnswer | undefined, name: string): string | undefined {
  const start = `${name.toLowerCase()}: `;
  return answer?.headers.find((line) => line.toLowerCase().startsWith(start))?.slice(start.length);
}

function isLast(answer: RawAnswer | undefined): boolean {
  return headerOf(answer, 'connection') === 'close';
}

interface Read {
  readonly answer: RawAnswer;
  readonly end: number;
}

/** Returns undefined if the response is not complete. */
function readAnswer(bytes: Buffer, method: string): Read | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...headers] = bytes.toString('latin1', 0, headEnd).split(CR_LF);
  const head = { statusLine, headers, body: Buffer.alloc(0) };
  const start = headEnd + HEAD_END.length;
  if (method === 'HEAD' || BODILESS.test(statusLine)) return { answer: head, end: start };
  if (headerOf(head, 'transfer-encoding') === 'chunked') return readChunks(bytes, start, head);
  const end = start + Number(headerOf(head, 'content-length') ?? 0);
  return bytes.length < end ? undefined : { answer: { ...head, body: bytes.subarray(start, end) }, end };
}

/** The cuts between chunks depend on time, so only what they contain is compared. */
function readChunks(bytes: Buffer, start: number, head: RawAnswer): Read | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf(CR_LF, at);
    if (lineEnd === -1) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (length === 0) return readTrailer(bytes, lineEnd, { ...head, body: Buffer.concat(chunks) });
    at = lineEnd + CR_LF.length;
    if (bytes.length < at + length + CR_LF.length) return undefined;
    chunks.push(bytes.subarray(at, at + length));
    at += length + CR_LF.length;
  }
}

function readTrailer(bytes: Buffer, from: number, answer: RawAnswer): Read | undefined {
  const end = bytes.indexOf(HEAD_END, from);
  if (end === -1) return undefined;
  const trailer = bytes.toString('latin1', from + CR_LF.length, end);
  const headers = trailer === '' ? answer.headers : [...answer.headers, `trailer ${trailer}`];
  return { answer: { ...answer, headers }, end: end + HEAD_END.length };
}
