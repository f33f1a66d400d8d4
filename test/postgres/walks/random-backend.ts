// A server on loopback that speaks the PostgreSQL protocol and answers at random: rows of any number and size, errors
// at any statement, in the middle of rows or at the end of the transaction, silence, malformed rows, a lost connection.
// It honors cancel requests, or ignores them.
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ok, type Result } from '../../../src/contract/result.ts';
import { Session } from '../../../src/postgres/session/session.ts';
import type { Random } from '../../support/generate/random.ts';
import { listen, portOf } from '../../support/listen.ts';
import { BOUND, complete, error, message, PARSED, ready, row } from '../support/server-messages.ts';

/** The result of a statement with this text if nothing fails: the columns before those of the body. */
export interface Shape {
  readonly head: readonly (string | null)[];
  /** Whether there is only one row. */
  readonly isOne: boolean;
}

const CANCEL_REQUEST = 80877102;
/** Row sizes in bytes; small ones are frequent. */
const SIZES = [1, 10, 100, 1000, 20_000, 70_000, 300_000, 1_200_000] as const;
const STATES = ['22012', '57014', '40001', 'XX000', '26000', '0A000', '23505', '08006'] as const;

export class RandomBackend {
  readonly port: number;
  /** Disables all faults. */
  alwaysSucceeds = false;
  readonly #random: Random;
  readonly #server: ReturnType<typeof createServer>;
  readonly #connections: Map<number, Connection> = new Map();
  #count = 0;

  private constructor(random: Random, server: ReturnType<typeof createServer>) {
    this.#random = random;
    this.#server = server;
    this.port = portOf(server);
    server.on('connection', (socket) => this.#accept(socket));
  }

  static async start(random: Random): Promise<RandomBackend> {
    const server = createServer();
    await listen(server);
    return new RandomBackend(random, server);
  }

  async connect(): Promise<Result<Session, never>> {
    const socket = createConnection(this.port, '127.0.0.1');
    await once(socket, 'connect');
    this.#count += 1;
    const processId = this.#count;
    // The first message of a connection is its number, instead of a startup packet.
    const number = Buffer.alloc(4);
    number.writeInt32BE(processId);
    socket.write(Buffer.concat([Buffer.from('#'), Buffer.from([0, 0, 0, 8]), number]));
    return ok(
      new Session({
        socket,
        cancelKey: { processId, secretKey: 1 },
        target: { host: '127.0.0.1', address: '127.0.0.1', port: this.port },
        isPreparing: true,
        isDiscardingPlans: false,
        liveness: { intervalMs: 60_000, timeoutMs: 500 },
      }),
    );
  }

  async stop(): Promise<void> {
    for (const { socket } of this.#connections.values()) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    const connection = new Connection(socket, this.#random, () => this.alwaysSucceeds);
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      if (pending.length === 16 && pending.readInt32BE(4) === CANCEL_REQUEST) {
        const running = this.#connections.get(pending.readInt32BE(8));
        // A cancel request that arrives too early has no effect.
        if (this.alwaysSucceeds || this.#random.chance(0.8)) running?.cancel();
        return void socket.end();
      }
      while (pending.length >= 5 && pending.length >= 1 + pending.readInt32BE(1)) {
        const end = 1 + pending.readInt32BE(1);
        const type = pending.toString('latin1', 0, 1);
        const body = pending.subarray(5, end);
        pending = pending.subarray(end);
        if (type === '#') this.#connections.set(body.readInt32BE(0), connection);
        else connection.take(type, body);
      }
    });
    socket.on('close', () => connection.cancel());
  }
}

class Connection {
  readonly socket: Socket;
  readonly #random: Random;
  readonly #alwaysSucceeds: () => boolean;
  readonly #texts: Map<string, string> = new Map();
  #bound = '';
  #status: 'I' | 'T' | 'E' = 'I';
  #isSkipping = false;
  #isCancelled = false;
  #isRunning = false;
  #work: Promise<void> = Promise.resolve();

  constructor(socket: Socket, random: Random, alwaysSucceeds: () => boolean) {
    this.socket = socket;
    this.#random = random;
    this.#alwaysSucceeds = alwaysSucceeds;
  }

  /** Has no effect while nothing runs. */
  cancel(): void {
    this.#isCancelled = this.#isRunning;
  }

  take(type: string, body: Buffer): void {
    this.#work = this.#work.then(() => this.#answer(type, body));
  }

  async #answer(type: string, body: Buffer): Promise<void> {
    this.#isRunning = type !== 'S';
    if (type === 'S') return this.#sync();
    if (this.#isSkipping || type === 'C') return;
    if (type === 'P') return this.#parse(body);
    if (type === 'B') return this.#bind(body);
    if (type === 'D') return void this.#send(message('T', Buffer.from([0, 0])));
    if (type === 'E') return this.#execute(this.#texts.get(this.#bound) ?? '');
  }

  #parse(body: Buffer): void {
    const [name = '', text = ''] = body.toString('utf8').split('\0');
    if (this.#fails(0.006)) return this.#refuse();
    this.#texts.set(name, text);
    this.#send(PARSED);
  }

  #bind(body: Buffer): void {
    const name = body.toString('utf8', 1, body.indexOf(0, 1));
    this.#bound = name;
    if (this.#fails(0.006)) return this.#refuse();
    this.#send(BOUND);
  }

  async #execute(text: string): Promise<void> {
    if (/^(?:COMMIT|ROLLBACK)/u.test(text)) {
      this.#status = 'I';
      return void this.#send(complete(text.split(' ')[0] ?? ''));
    }
    if (text.startsWith('BEGIN')) this.#status = 'T';
    if (this.#fails(0.015)) return this.#refuse();
    const shape = /\/\*(.*?)\*\//u.exec(text)?.[1];
    if (shape !== undefined && !(await this.#sendRows(JSON.parse(shape)))) return;
    this.#send(complete(text.startsWith('INSERT') ? 'INSERT 0 1' : 'SELECT 1'));
  }

  /** @returns whether the statement continues */
  async #sendRows({ head, isOne }: Shape): Promise<boolean> {
    const count = isOne ? 1 : this.#random.pick([0, 1, 3, 200, 400]);
    for (let index = 0; index < count; index += 1) {
      if (this.#isCancelled || this.#fails(0.003)) {
        this.#refuse(this.#isCancelled ? '57014' : undefined);
        return false;
      }
      if (this.#fails(0.0002)) this.#send(message('D', Buffer.from([0, 9])));
      const size = this.#random.pick(isOne ? SIZES : SIZES.slice(0, 6));
      if (!this.#send(row(...head, Buffer.alloc(size, 'x')))) await this.#drained();
      if (this.#random.chance(0.05)) await setImmediate();
    }
    return true;
  }

  #sync(): void {
    if (this.#status === 'T' && this.#isSkipping) this.#status = 'E';
    if (!this.#isSkipping && this.#status === 'I' && this.#fails(0.03)) this.#refuse();
    this.#isSkipping = false;
    this.#isCancelled = false;
    this.#send(ready(this.#status));
  }

  #fails(probability: number): boolean {
    return !this.#alwaysSucceeds() && this.#random.chance(probability);
  }

  #refuse(state: string = this.#random.pick(STATES)): void {
    this.#isSkipping = true;
    if (state === '08006' || (!this.#alwaysSucceeds() && this.#random.chance(0.1))) return void this.socket.destroy();
    const text = this.#random.chance(0.5) ? 'cache lookup failed for function 1' : 'failed';
    this.#send(error({ S: 'ERROR', C: state, M: text }));
  }

  /** @returns whether the client accepts more */
  #send(bytes: Uint8Array): boolean {
    return this.socket.destroyed || this.socket.write(bytes);
  }

  /** Resolves when the client accepts more, or has disconnected. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.destroyed) resolve();
      this.socket.once('drain', () => resolve()).once('close', () => resolve());
    });
  }
}
