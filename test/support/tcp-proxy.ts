// A TCP proxy on loopback that plays a network: it passes bytes on as they come, or late, slowly, not at all, or only so
// many of them. Each direction has conditions of its own, for all connections or for one.
import { EventEmitter, once } from 'node:events';
import { createConnection, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from './port-of.ts';

export type Direction = 'toServer' | 'toClient';

export interface Conditions {
  /**
   * Nothing arrives, the end of the connection neither, though the sender's system sees its bytes acknowledged: the
   * connection is half open. What was held back arrives once this is over.
   */
  readonly isStalled: boolean;
  /** Milliseconds that each byte is on its way. */
  readonly delay: number;
  readonly bytesPerSecond: number;
  /** Of each connection, from the moment this is set: after them both of its ends are closed. */
  readonly bytesLeft: number;
}

const CLEAR: Conditions = { isStalled: false, delay: 0, bytesPerSecond: Infinity, bytesLeft: Infinity };
const DIRECTIONS: readonly Direction[] = ['toServer', 'toClient'];
/** Bytes on their way in one direction, beyond which no more are taken from the sender. */
const ROOM = 262_144;
/** Parts of a second: how evenly a slow line delivers. */
const SLICES = 50;

/** @param target what `net.createConnection` takes: `{ host, port }` or `{ path }` */
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

  constructor(target: NetConnectOpts) {
    this.#target = target;
  }

  /** Stays the same while it lives. */
  get port(): number {
    return this.#port;
  }

  /** The open ones, oldest first. */
  get connections(): readonly ProxiedConnection[] {
    return [...this.#connections];
  }

  /** Since the start. */
  get acceptedCount(): number {
    return this.#acceptedCount;
  }

  /** Changes conditions of one direction, or both, for the open connections and those to come. */
  set(changes: Partial<Conditions>, direction?: Direction): void {
    for (const each of direction === undefined ? DIRECTIONS : [direction])
      this.#conditions[each] = { ...this.#conditions[each], ...changes };
    for (const connection of this.#connections) connection.set(changes, direction);
  }

  /** All conditions as at the start. */
  clear(): void {
    this.set(CLEAR);
  }

  /** Takes new connections (again). */
  async accept(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#connect(client));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = portOf(this.#server);
  }

  /** New connections are refused by the system; open ones stay. */
  refuse(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  /** Ends the open connections as a crash would, on both sides. */
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
      if (client.closed && upstream.closed) this.#connections.delete(connection);
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

  /** Bytes that have arrived. */
  passed(direction: Direction): number {
    return this.#lines[direction].passed;
  }

  set(changes: Partial<Conditions>, direction?: Direction): void {
    for (const each of direction === undefined ? DIRECTIONS : [direction]) this.#lines[each].set(changes);
  }

  /** Both ends see a reset. */
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
  /** Ends when all that came so far has arrived. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(source: Socket, sink: Socket, onUsedUp: () => void) {
    this.#source = source;
    this.#sink = sink;
    this.#onUsedUp = onUsedUp;
    source.on('error', () => {});
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.on('end', () => this.#follow(() => sink.end()));
    source.on('close', (hasFailed) => this.#follow(() => (hasFailed ? sink.resetAndDestroy() : sink.destroySoon())));
    // Nobody is left to take anything.
    sink.on('close', () => this.#change.emit('change'));
  }

  set(changes: Partial<Conditions>): void {
    this.#conditions = { ...this.#conditions, ...changes };
    this.#change.emit('change');
  }

  #take(chunk: Buffer): void {
    const cameAt = performance.now();
    this.#underway += chunk.length;
    if (this.#underway > ROOM) this.#source.pause();
    this.#turn = this.#turn.then(() => this.#pass(chunk, cameAt));
  }

  #follow(end: () => void): void {
    const cameAt = performance.now();
    this.#turn = this.#turn.then(() => this.#travel(cameAt)).then(end);
  }

  async #pass(chunk: Buffer, cameAt: number): Promise<void> {
    for (let start = 0; start < chunk.length;) {
      await this.#travel(cameAt);
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

  /** Ends when what came then is due, and when there is a way. */
  async #travel(cameAt: number): Promise<void> {
    while (!this.#sink.closed) {
      const wait = this.#conditions.isStalled ? Infinity : cameAt + this.#conditions.delay - performance.now();
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
    // A failure is followed by the close.
    await Promise.race([once(this.#sink, 'drain'), once(this.#sink, 'close')]).catch(() => {});
  }
}
