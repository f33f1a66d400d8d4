// One authenticated connection: sends messages, forwards answers to the current exchange, keeps the connection state
// (prepared statements, cancel key) and knows when the connection must not be reused.
import type { Socket } from 'node:net';
import type { Pieces } from '../../contract/transaction.ts';
import type { Liveness } from '../connect/connection-settings.ts';
import type { CancelKey } from '../connect/driver.ts';
import type { HostTarget } from '../connect/host-targets.ts';
import { ConnectionMonitor } from '../connect/connection-monitor.ts';
import type { Exchange } from './exchange.ts';
import { ReadThrottle } from './read-throttle.ts';
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

/** Bytes received at once that show that a response is large. */
const LARGE_PIECE = 32_768;

/** Work that waits until the bytes that have arrived together have been processed. */
export interface ChunkEnd {
  afterChunk(): void;
}

export class Session implements MessageReceiver {
  readonly target: HostTarget;
  readonly cancelKey: CancelKey | undefined;
  readonly liveness: Liveness;
  /** `undefined` if statements are not prepared by name. */
  readonly statements: StatementCache | undefined;
  readonly isDiscardingPlans: boolean;
  readonly isReplicating: boolean;
  /** The only role that plans may exist for; `undefined` if unknown. */
  planRole: string | undefined;
  /** Called once when the connection is lost, but not when it is closed. */
  onLoss: ((details: string) => void) | undefined;
  onNotification: ((payload: string, channel: string) => void) | undefined;
  /** Whether a response has arrived in large pieces. */
  hasBroughtMuch = false;
  /** Whether `keepHeap` has run. */
  isHeapKept = false;
  /** Returns why the server is no longer of the kind that the connection requires, or undefined while it is. */
  findMismatch: () => Promise<string | undefined> = () => Promise.resolve(undefined);
  readonly #socket: Socket;
  readonly #writer: GatheringWriter;
  readonly #throttle: ReadThrottle;
  readonly #decoder: MessageDecoder;
  readonly #monitor: ConnectionMonitor;
  /** In the order sent, which is also the order of the answers. Incoming messages belong to the first. */
  readonly #exchanges: Exchange[] = [];
  #loss: string | undefined;
  #isTainted = false;
  #isDecoding = false;
  #afterChunk: ChunkEnd[] = [];

  constructor(options: SessionOptions) {
    this.target = options.target;
    this.cancelKey = options.cancelKey;
    this.liveness = options.liveness;
    this.statements = options.isPreparing ? new StatementCache(STATEMENT_LIMITS) : undefined;
    this.isDiscardingPlans = options.isDiscardingPlans;
    this.isReplicating = options.isReplicating ?? false;
    this.#socket = options.socket;
    this.#writer = new GatheringWriter(options.socket);
    this.#throttle = new ReadThrottle(options.socket);
    this.#decoder = new MessageDecoder(this);
    this.#monitor = new ConnectionMonitor({
      socket: options.socket,
      timeoutMs: options.liveness.timeoutMs,
      isAwaitingAnswer: () => this.#exchanges.length > 0,
      onGone: () => this.destroy('the database server is no longer reachable'),
    });
    let failure: string | undefined;
    if (options.socket instanceof ReadingSocket) options.socket.provideBuffer = () => this.#provideBuffer();
    this.#socket.on('data', (chunk: Buffer) => {
      this.#throttle.count(chunk.length);
      if (chunk.length >= LARGE_PIECE) this.hasBroughtMuch = true;
      this.#decode(chunk);
    });
    this.#socket.on('error', (error) => (failure = error.message));
    this.#socket.on('close', () => this.destroy(failure ?? 'the database server closed the connection'));
  }

  /** The reason the connection is lost; `undefined` while it is open. */
  get loss(): string | undefined {
    return this.#loss;
  }

  /** Whether another request may use the connection. */
  get isUsable(): boolean {
    return this.#loss === undefined && !this.#isTainted;
  }

  /**
   * Sends messages that end with Sync. The exchange is answered after those before it, and stays first until `endExchange`. Until then it
   * may send more, unless others are queued behind it: those rely on its transaction being over.
   */
  send(messages: Pieces, exchange: Exchange): void {
    const loss = this.#loss;
    if (loss !== undefined) {
      queueMicrotask(() => exchange.lose(loss));
      return;
    }
    if (this.#exchanges[0] !== exchange) this.#exchanges.push(exchange);
    else if (this.#exchanges.length > 1) return this.destroy('a script left its transaction open');
    this.#writer.write(messages);
  }

  /** Sends everything that `work` sends in a single write. */
  sendTogether(work: () => void): void {
    this.#writer.gather(work);
  }

  endExchange(): void {
    this.#exchanges.shift();
    // The exchanges behind were sent before the session became unusable.
    if (this.#isTainted && this.#exchanges.length > 0) this.destroy('the connection is no longer usable');
  }

  /** Stops reading until `resume`, so that the server has to wait. */
  pause(): void {
    this.#throttle.pause();
  }

  resume(): void {
    if (this.#loss === undefined) this.#throttle.resume();
  }

  /** Lets the current exchange finish, but prevents further use of the connection. */
  taint(): void {
    this.#isTainted = true;
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case NOTICE:
        return;
      case COPY_OUT:
      case COPY_DATA:
      case COPY_DONE:
        this.#exchanges[0]?.receiveCopy?.(message);
        return;
      case ERROR:
        return this.#receiveError(readServerError(message));
      case NOTIFICATION:
        return this.#receiveNotification(message);
      case PARAMETER_STATUS:
        return this.#receiveParameter(message);
      case COPY_IN:
      case COPY_BOTH:
        if (this.#exchanges[0]?.receiveCopy !== undefined) return this.#exchanges[0].receiveCopy(message);
        // The number of ReadyForQuery messages to follow depends on how much the server has already read.
        this.taint();
        this.#socket.write(encodeCopyRefusal());
        return;
      default:
        if (this.#exchanges[0] === undefined) this.destroy('the database server sent an unexpected message');
        else this.#exchanges[0].receive(message);
    }
  }

  /** Calls `work` when all bytes that have arrived have been processed: they may still end the session. */
  afterChunk(work: ChunkEnd): void {
    if (this.#isDecoding) this.#afterChunk.push(work);
    else work.afterChunk();
  }

  /** Whether other exchanges are queued behind the current one, which must not hold them up. */
  get isShared(): boolean {
    return this.#exchanges.length > 1;
  }

  receiveLong(type: number, length: number): ((piece: Buffer) => void) | undefined {
    return this.isShared ? undefined : this.#exchanges[0]?.receiveLong?.(type, length);
  }

  /** @param isKept whether the open connection keeps the process running; true at first */
  keepProcess(isKept: boolean): void {
    if (isKept) this.#socket.ref();
    else this.#socket.unref();
  }

  /** Sends Terminate and resolves when the socket is closed. */
  close(): Promise<void> {
    if (this.#loss !== undefined) return Promise.resolve();
    this.#loss = 'the connection was closed';
    this.onLoss = undefined;
    this.#monitor.stop();
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#decoder.stop();
    this.#socket.write(TERMINATE);
    this.#socket.destroySoon();
    return closed;
  }

  /** Drops the connection immediately; exchanges in flight are lost. */
  destroy(details: string): void {
    if (this.#loss !== undefined) return;
    this.#loss = details;
    this.#monitor.stop();
    this.#decoder.stop();
    this.#socket.destroy();
    for (const exchange of this.#exchanges.splice(0)) exchange.lose(details);
    this.onLoss?.(details);
  }

  /** Contains defects: an exception ends this connection and the requests that use it, not the process. */
  #decode(chunk: Buffer): void {
    this.#isDecoding = true;
    try {
      const fault = this.#decoder.push(chunk);
      if (fault !== undefined) this.destroy(fault);
    } catch (error) {
      this.destroy(`failed to process its messages: ${String(error)}`);
    }
    this.#isDecoding = false;
    if (this.#afterChunk.length > 0) for (const work of this.#afterChunk.splice(0)) work.afterChunk();
  }

  #provideBuffer(): Buffer | undefined {
    const { freeSpace, remaining } = this.#decoder;
    return freeSpace ?? this.#exchanges[0]?.provideBuffer?.(remaining);
  }

  #receiveError(error: ServerError): void {
    const [exchange] = this.#exchanges;
    exchange?.refuse(error);
    // Outside an exchange, an error announces the end of the session, whatever its severity.
    if (error.severity !== 'ERROR' || exchange === undefined) this.destroy(error.report.message);
  }

  #receiveNotification(message: ServerMessage): void {
    const [channel, payload] = readTexts(message, 4);
    if (channel === undefined || payload === undefined) return;
    // Unexpected: a function has run LISTEN on this session.
    if (this.onNotification === undefined) this.taint();
    else this.onNotification(payload, channel);
  }

  /** Another client encoding would corrupt bodies, which are forwarded as bytes; another user must not persist. */
  #receiveParameter(message: ServerMessage): void {
    const [name, value] = readTexts(message, 0);
    if (name === 'session_authorization' || (name === 'client_encoding' && value !== 'UTF8')) this.taint();
  }
}

/** Pieces of larger writes are not joined, in bytes. */
const MAX_JOINED = 65_536;

/** Writes messages to a socket, at once or gathered into a single write. */
class GatheringWriter {
  readonly #socket: Socket;
  /** Pieces collected for a single write; undefined writes them immediately. */
  #gathered: Uint8Array[] | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  write(messages: Pieces): void {
    if (this.#gathered === undefined) this.#send(messages);
    else this.#gathered.push(...messages);
  }

  /** Gathers everything that `work` writes into a single write. */
  gather(work: () => void): void {
    const gathered: Uint8Array[] = (this.#gathered = []);
    try {
      work();
    } finally {
      this.#gathered = undefined;
      this.#send(gathered);
    }
  }

  /** Joins short pieces, since copying them costs less than queuing each one. */
  #send(pieces: Pieces): void {
    let size = 0;
    for (const { length } of pieces) size += length;
    const sent = pieces.length > 1 && size <= MAX_JOINED ? [Buffer.concat(pieces, size)] : pieces;
    if (sent.length > 1) this.#socket.cork();
    for (const piece of sent) this.#socket.write(piece);
    if (sent.length > 1) this.#socket.uncork();
  }
}

/** What a session is made of. */
export interface PlanOptions {
  /** Whether statements are prepared by name (`operating.md` §6.8). */
  readonly isPreparing: boolean;
  /** Whether to discard plans when the role changes: PostgreSQL reuses function plans across roles. */
  readonly isDiscardingPlans: boolean;
}

interface SessionOptions extends PlanOptions {
  readonly socket: Socket;
  readonly cancelKey: CancelKey | undefined;
  readonly target: HostTarget;
  readonly liveness: Liveness;
  /** Whether the connection understands simple queries only; false by default. */
  readonly isReplicating?: boolean;
}
