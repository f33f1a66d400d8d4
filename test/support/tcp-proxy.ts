// A TCP proxy on loopback that simulates network conditions: it relays bytes at once, late, slowly, not at all, or up
// to a byte budget. Each direction has its own conditions, for all connections or for one.
import { EventEmitter, once } from 'node:events';
import { createConnection, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from './listen.ts';

export type Direction = 'toServer' | 'toClient';

export interface Conditions {
  /**
   * Nothing arrives, not even the end of the stream, although the sender's kernel sees its bytes acknowledged: the
   * connection is half open. Held bytes arrive once the stall is over.
   */
  readonly isStalled: boolean;
  /** Latency of each byte in milliseconds. */
  readonly delay: number;
  readonly bytesPerSecond: number;
  /** Byte budget of each connection from now on. Once it is used up, both ends are closed. */
  readonly bytesLeft: number;
}

const CLEAR: Conditions = { isStalled: false, delay: 0, bytesPerSecond: Infinity, bytesLeft: Infinity };
const DIRECTIONS: readonly Direction[] = ['toServer', 'toClient'];
/** High-water mark: bytes in flight in one direction beyond which the sender is paused. */
const ROOM = 262_144;
/** Writes per second on a slow line: the granularity of the bandwidth limit. */
const SLICES = 50;

/** @param target the argument of `net.createConnection`: `{ host, port }` or `{ path }` */
export async function startTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
  const proxy = new TcpProxy(target);
  await proxy.accept();
  return proxy;
}

export class TcpProxy {
  readonly #target: NetConnectOpts;
  readonly #connections: Set<ProxiedConnection> = new Set();
  readonly #conditions: Record<Direction, Conditions> = { toServer: CLEAR, toClient: CLEAR };
  #server: Server | undefined;
  #port = 0;
  #acceptedCount = 0;
  /** Bytes delivered by connections that have ended. */
  readonly #ended: Record<Direction, number> = { toServer: 0, toClient: 0 };

  constructor(target: NetConnectOpts) {
    this.#target = target;
  }

  /** Does not change while the proxy lives. */
  get port(): number {
    return this.#port;
  }

  /** Open connections, oldest first. */
  get connections(): readonly ProxiedConnection[] {
    return [...this.#connections];
  }

  /** Connections accepted since the start. */
  get acceptedCount(): number {
    return this.#acceptedCount;
  }

  /** Bytes delivered so far, by all connections. */
  passed(direction: Direction): number {
    return this.connections.reduce((sum, connection) => sum + connection.passed(direction), this.#ended[direction]);
  }

  /** Changes the conditions of one or both directions, for open and future connections. */
  set(changes: Partial<Conditions>, direction?: Direction): void {
    for (const each of direction === undefined ? DIRECTIONS : [direction])
      this.#conditions[each] = { ...this.#conditions[each], ...changes };
    for (const connection of this.#connections) connection.set(changes, direction);
  }

  /** Resets all conditions. */
  clear(): void {
    this.set(CLEAR);
  }

  /** Accepts new connections, also after `refuse`. */
  async accept(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#connect(client));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = portOf(this.#server);
  }

  /** Makes the kernel refuse new connections; open ones stay. */
  refuse(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  /** Resets the open connections on both sides, like a crash. */
  cut(): void {
    for (const connection of this.#connections) connection.cut();
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.refuse();
    this.cut();
    if (server !== undefined) await once(server, 'close');
  }

  #connect(client: Socket): void {
    this.#acceptedCount += 1;
    const upstream = createConnection({ allowHalfOpen: true, noDelay: true, ...this.#target });
    const connection = new ProxiedConnection(client, upstream);
    this.#connections.add(connection);
    for (const direction of DIRECTIONS) connection.set(this.#conditions[direction], direction);
    const forget = (): void => {
      if (!client.closed || !upstream.closed || !this.#connections.delete(connection)) return;
      for (const direction of DIRECTIONS) this.#ended[direction] += connection.passed(direction);
    };
    client.on('close', forget);
    upstream.on('close', forget);
  }
}

export class ProxiedConnection {
  readonly #lines: Record<Direction, Line>;
  readonly #ends: readonly Socket[];

  constructor(client: Socket, server: Socket) {
    this.#ends = [client, server];
    const close = (): void => this.#ends.forEach((end) => end.destroySoon());
    this.#lines = { toServer: new Line(client, server, close), toClient: new Line(server, client, close) };
  }

  /** Bytes delivered so far. */
  passed(direction: Direction): number {
    return this.#lines[direction].passed;
  }

  set(changes: Partial<Conditions>, direction?: Direction): void {
    for (const each of direction === undefined ? DIRECTIONS : [direction]) this.#lines[each].set(changes);
  }

  /** Resets both ends. */
  cut(): void {
    for (const end of this.#ends) end.resetAndDestroy();
  }
}

/** One direction of one connection. */
class Line {
  passed = 0;
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #onUsedUp: () => void;
  readonly #change: EventEmitter = new EventEmitter();
  #conditions = CLEAR;
  #underway = 0;
  /** Resolves when everything received so far has been delivered. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(source: Socket, sink: Socket, onUsedUp: () => void) {
    this.#source = source;
    this.#sink = sink;
    this.#onUsedUp = onUsedUp;
    source.on('error', () => {});
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.on('end', () => this.#follow(() => sink.end()));
    source.on('close', (hasFailed) => this.#follow(() => (hasFailed ? sink.resetAndDestroy() : sink.destroySoon())));
    // The sink is gone: wake up pending writes.
    sink.on('close', () => this.#change.emit('change'));
  }

  set(changes: Partial<Conditions>): void {
    this.#conditions = { ...this.#conditions, ...changes };
    this.#change.emit('change');
  }

  #take(chunk: Buffer): void {
    const receivedAt = performance.now();
    this.#underway += chunk.length;
    if (this.#underway > ROOM) this.#source.pause();
    this.#turn = this.#turn.then(() => this.#pass(chunk, receivedAt));
  }

  #follow(end: () => void): void {
    const receivedAt = performance.now();
    this.#turn = this.#turn.then(() => this.#travel(receivedAt)).then(end);
  }

  async #pass(chunk: Buffer, receivedAt: number): Promise<void> {
    for (let start = 0; start < chunk.length;) {
      await this.#travel(receivedAt);
      const { bytesPerSecond, bytesLeft } = this.#conditions;
      const size = Math.min(chunk.length - start, bytesLeft, Math.max(1, Math.floor(bytesPerSecond / SLICES)));
      if (bytesPerSecond < Infinity) await sleep((size / bytesPerSecond) * 1000);
      await this.#write(chunk.subarray(start, start + size));
      start += size;
      if (this.#conditions.bytesLeft === 0) return this.#onUsedUp();
    }
    this.#underway -= chunk.length;
    if (this.#underway <= ROOM) this.#source.resume();
  }

  /** Resolves when the delay has elapsed and the line is not stalled. */
  async #travel(receivedAt: number): Promise<void> {
    while (!this.#sink.closed) {
      const wait = this.#conditions.isStalled ? Infinity : receivedAt + this.#conditions.delay - performance.now();
      if (wait <= 0) return;
      if (wait === Infinity) await once(this.#change, 'change');
      else await sleep(wait);
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (!this.#sink.writable) return;
    this.passed += bytes.length;
    this.#conditions = { ...this.#conditions, bytesLeft: this.#conditions.bytesLeft - bytes.length };
    if (this.#sink.write(bytes)) return;
    // An error is followed by a close event.
    await Promise.race([once(this.#sink, 'drain'), once(this.#sink, 'close')]).catch(() => {});
  }
}
