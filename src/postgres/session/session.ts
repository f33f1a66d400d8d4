// One authenticated connection: sends batches, passes the answers to the exchange whose turn it is, holds the connection's
// state (prepared statements, cancel key) and knows when it must not be used again.
import type { Socket } from 'node:net';
import type { Pieces } from '../../contract/transaction.ts';
import type { Liveness } from '../connect/connection-settings.ts';
import type { CancelKey } from '../connect/driver.ts';
import type { HostTarget } from '../connect/host-targets.ts';
import { ConnectionMonitor } from '../connect/connection-monitor.ts';
import type { Exchange } from './exchange.ts';
import { GatheringWriter } from './gathering-writer.ts';
import { ReadTurns } from './read-turns.ts';
import { ReadingSocket } from '../connect/reading-socket.ts';
import { STATEMENT_LIMITS, StatementCache } from './statement-cache.ts';
import { MessageDecoder, type MessageReceiver, type ServerMessage } from '../wire/decoder.ts';
import { TERMINATE } from '../wire/control-messages.ts';
import { encodeCopyRefusal } from '../wire/encoder.ts';
import {
  COPY_BOTH,
  COPY_DATA,
  COPY_DONE,
  COPY_IN,
  COPY_OUT,
  ERROR,
  NOTICE,
  NOTIFICATION,
  PARAMETER_STATUS,
} from '../wire/message-type.ts';
import { readServerError, readTexts, type ServerError } from '../wire/read-message.ts';

export interface PlanOptions {
  /** Whether statements are prepared under names (`operating.md` §6.8). */
  readonly isPreparing: boolean;
  /** Whether plans are forgotten when the role changes: PostgreSQL keeps those of functions for whoever calls them. */
  readonly isDiscardingPlans: boolean;
}

export interface SessionOptions extends PlanOptions {
  readonly socket: Socket;
  readonly cancelKey: CancelKey | undefined;
  readonly target: HostTarget;
  readonly liveness: Liveness;
}

export class Session implements MessageReceiver {
  readonly target: HostTarget;
  readonly cancelKey: CancelKey | undefined;
  readonly liveness: Liveness;
  /** `undefined`: nothing is prepared under a name. */
  readonly statements: StatementCache | undefined;
  readonly isDiscardingPlans: boolean;
  /** The one role for which there may be plans; `undefined`: unknown. */
  planRole: string | undefined;
  /** Called once when the connection is lost, not when it is closed. */
  onLoss: ((details: string) => void) | undefined;
  onNotification: ((payload: string) => void) | undefined;
  /** Asks why the server is no longer of the kind that the connection was opened for; undefined while it is. */
  findMismatch: () => Promise<string | undefined> = () => Promise.resolve(undefined);
  readonly #socket: Socket;
  readonly #writer: GatheringWriter;
  readonly #turns: ReadTurns;
  readonly #decoder: MessageDecoder;
  readonly #watch: ConnectionMonitor;
  /** In the order in which they were sent, which is that of their answers: what arrives belongs to the first. */
  readonly #exchanges: Exchange[] = [];
  #loss: string | undefined;
  #isTainted = false;

  constructor(options: SessionOptions) {
    this.target = options.target;
    this.cancelKey = options.cancelKey;
    this.liveness = options.liveness;
    this.statements = options.isPreparing ? new StatementCache(STATEMENT_LIMITS) : undefined;
    this.isDiscardingPlans = options.isDiscardingPlans;
    this.#socket = options.socket;
    this.#writer = new GatheringWriter(options.socket);
    this.#turns = new ReadTurns(options.socket);
    this.#decoder = new MessageDecoder(this);
    this.#watch = new ConnectionMonitor({
      socket: options.socket,
      timeoutMs: options.liveness.timeoutMs,
      isAwaitingAnswer: () => this.#exchanges.length > 0,
      onGone: () => this.destroy('the database server cannot be reached any more'),
    });
    let failure: string | undefined;
    if (options.socket instanceof ReadingSocket) options.socket.offerRoom = () => this.#offerRoom();
    this.#socket.on('data', (chunk: Buffer) => {
      this.#turns.count(chunk.length);
      this.#decode(chunk);
    });
    this.#socket.on('error', (error) => (failure = error.message));
    this.#socket.on('close', () => this.destroy(failure ?? 'the database server closed the connection'));
  }

  /** Why the connection is gone; `undefined` while it is open. */
  get loss(): string | undefined {
    return this.#loss;
  }

  /** Whether another request may use the connection. */
  get isUsable(): boolean {
    return this.#loss === undefined && !this.#isTainted;
  }

  /**
   * The exchange is answered after those before it, and stays the first until `endExchange`. It may send more then, unless
   * others are behind it: they were sent as if its transaction were over.
   */
  send(batch: Pieces, exchange: Exchange): void {
    const loss = this.#loss;
    if (loss !== undefined) {
      queueMicrotask(() => exchange.lose(loss));
      return;
    }
    if (this.#exchanges[0] !== exchange) this.#exchanges.push(exchange);
    else if (this.#exchanges.length > 1) return this.destroy('a transaction did not end with its script');
    this.#writer.write(batch);
  }

  /** What `work` sends goes out in one write. */
  sendTogether(work: () => void): void {
    this.#writer.gather(work);
  }

  endExchange(): void {
    this.#exchanges.shift();
    // Those behind were sent before it was known that the session is no longer what they expect.
    if (this.#isTainted && this.#exchanges.length > 0) this.destroy('the connection cannot be used any more');
  }

  /** Nothing more is read until `resume`: the server has to wait. */
  pause(): void {
    this.#turns.pause();
  }

  resume(): void {
    if (this.#loss === undefined) this.#turns.resume();
  }

  /** The current exchange goes on, but the connection is not used again after it. */
  taint(): void {
    this.#isTainted = true;
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case NOTICE:
      case COPY_OUT:
      case COPY_DATA:
      case COPY_DONE:
        return;
      case ERROR:
        return this.#receiveError(readServerError(message));
      case NOTIFICATION:
        return this.#receiveNotification(message);
      case PARAMETER_STATUS:
        return this.#receiveParameter(message);
      case COPY_IN:
      case COPY_BOTH:
        // How many ReadyForQuery follow depends on what the server had read already.
        this.taint();
        this.#socket.write(encodeCopyRefusal());
        return;
      default:
        return this.#forward(message);
    }
  }

  /** Others are behind the current exchange, which cannot take its time then. */
  get isShared(): boolean {
    return this.#exchanges.length > 1;
  }

  receiveLong(type: number, length: number): ((piece: Buffer) => void) | undefined {
    return this.isShared ? undefined : this.#exchanges[0]?.receiveLong?.(type, length);
  }

  /** Sends Terminate; resolves when the socket is closed. */
  close(): Promise<void> {
    if (this.#loss !== undefined) return Promise.resolve();
    this.#loss = 'the connection was closed';
    this.onLoss = undefined;
    this.#watch.stop();
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#decoder.stop();
    this.#socket.write(TERMINATE);
    this.#socket.destroySoon();
    return closed;
  }

  /** Drops the connection at once; the exchanges under way are lost. */
  destroy(details: string): void {
    if (this.#loss !== undefined) return;
    this.#loss = details;
    this.#watch.stop();
    this.#decoder.stop();
    this.#socket.destroy();
    for (const exchange of this.#exchanges.splice(0)) exchange.lose(details);
    this.onLoss?.(details);
  }

  /** What throws here would end the process: a defect ends only this connection, and the requests that use it. */
  #decode(chunk: Buffer): void {
    try {
      const fault = this.#decoder.push(chunk);
      if (fault !== undefined) this.destroy(fault);
    } catch (error) {
      this.destroy(`its messages could not be handled: ${String(error)}`);
    }
  }

  #offerRoom(): Buffer | undefined {
    const { room, left } = this.#decoder;
    return room ?? this.#exchanges[0]?.offerRoom?.(left);
  }

  #forward(message: ServerMessage): void {
    const [exchange] = this.#exchanges;
    if (exchange === undefined) this.destroy('the database server answered without a question');
    else exchange.receive(message);
  }

  #receiveError(error: ServerError): void {
    const [exchange] = this.#exchanges;
    exchange?.refuse(error);
    // Outside an exchange, an error announces the end of the session, whatever its severity.
    if (error.severity !== 'ERROR' || exchange === undefined) this.destroy(error.report.message);
  }

  #receiveNotification(message: ServerMessage): void {
    const [, payload] = readTexts(message, 4);
    if (payload === undefined) return;
    // An unexpected notification: a function has executed LISTEN on this session.
    if (this.onNotification === undefined) this.taint();
    else this.onNotification(payload);
  }

  /** Bodies are forwarded as bytes, so another client encoding would corrupt them; another user must not persist either. */
  #receiveParameter(message: ServerMessage): void {
    const [name, value] = readTexts(message, 0);
    if (name === 'session_authorization' || (name === 'client_encoding' && value !== 'UTF8')) this.taint();
  }
}
