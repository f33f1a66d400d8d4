// A connection of a client that may pipeline requests: takes GET targets and returns responses, in order.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Reply {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

const LOST: Reply = { status: 0, head: '', body: '' };
const HEAD_END = '\r\n\r\n';

export class WireClient {
  readonly #socket: Socket;
  readonly #waiting: ((reply: Reply) => void)[] = [];
  /**
   * Number of responses taken from the front of `#waiting`, which is too long for `shift` with thousands of requests.
   */
  #answered = 0;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', () => {});
    socket.on('close', () => {
      while (this.#answered < this.#waiting.length) this.#settle(LOST);
    });
  }

  static async open(port: number): Promise<WireClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const client = new WireClient(socket);
    await once(socket, 'connect');
    return client;
  }

  static openMany(port: number, count: number): Promise<WireClient[]> {
    return Promise.all(Array.from({ length: count }, () => WireClient.open(port)));
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  async ask(target: string): Promise<Reply> {
    const [reply = LOST] = await Promise.all(this.askAll([target]));
    return reply;
  }

  /** Sends all requests in one write. */
  askAll(targets: readonly string[]): Promise<Reply>[] {
    this.#socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    return targets.map(() => new Promise((resolve) => void this.#waiting.push(resolve)));
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #read(text: string): void {
    this.#received += text;
    for (;;) {
      const headLength = this.#received.indexOf(HEAD_END) + HEAD_END.length;
      if (headLength < HEAD_END.length) return;
      const head = this.#received.slice(0, headLength);
      const end = headLength + Number(/^content-length: (\d+)/imu.exec(head)?.[1] ?? 0);
      if (this.#received.length < end) return;
      const body = this.#received.slice(headLength, end);
      this.#received = this.#received.slice(end);
      this.#settle({ status: Number(head.slice(9, 12)), head, body });
    }
  }

  #settle(reply: Reply): void {
    this.#waiting[this.#answered]?.(reply);
    this.#answered += 1;
  }
}
