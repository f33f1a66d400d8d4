// Receives the write-ahead log through a temporary logical replication slot, until the connection is lost or closed.
// https://www.postgresql.org/docs/current/protocol-replication.html
import { quoteIdentifier } from '../../../contract/identifiers.ts';
import type { LogTransaction } from './log-changes.ts';
import { type LogPosition, parseLsn } from '../../../contract/log-position.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { toDatabaseError } from '../../../postgres/session/connection-fault.ts';
import type { Exchange } from '../../../postgres/session/exchange.ts';
import { connect, type ConnectOptions } from '../../../postgres/session/open-session.ts';
import { query } from '../../../postgres/session/query.ts';
import type { Session } from '../../../postgres/session/session.ts';
import { encodeCopyData, encodeSimpleQuery } from '../../../postgres/wire/control-messages.ts';
import type { ServerMessage } from '../../../postgres/wire/decoder.ts';
import { COPY_BOTH, COPY_DATA } from '../../../postgres/wire/message-type.ts';
import type { ServerError } from '../../../postgres/wire/read-message.ts';
import { endOfRecord, LogDecoder } from './log-decoder.ts';
import { MessageCursor } from './message-cursor.ts';

export interface LogStreamOptions {
  readonly connection: Omit<ConnectOptions, 'isPreparing' | 'targetSession' | 'isReplicating'>;
  readonly publication: string;
  /** Unique in the cluster; lower-case letters, digits and underscores. */
  readonly slot: string;
  onTransaction(transaction: LogTransaction): void;
  /** Called when all transactions up to a position have been received. */
  onPosition(position: LogPosition): void;
  /** Called once when the connection is lost, but not after `close`. */
  onLoss(details: string): void;
}

export interface LogStream {
  /** All transactions up to it are not part of this log. */
  readonly start: LogPosition;
  /** Asks the server how far it has read the log, which `onPosition` reports. */
  ask(): void;
  /** Stops reading until `resume`: the server then waits. */
  pause(): void;
  resume(): void;
  /** The slot is dropped with its connection. */
  close(): Promise<void>;
}

/** Types must be printed alike whatever the settings of the login role. */
const SETTINGS =
  "SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET statement_timeout = 0; SET bytea_output = 'hex'";
/** Interval of the reports of what has been received, each of which the server answers. */
const REPORT_MS = 10_000;

/** Resolves when the log is being received. That waits for every transaction of the cluster that is writing now. */
export async function openLogStream(options: LogStreamOptions): Promise<Result<LogStream, ApiError>> {
  const connected = await connect({
    ...options.connection,
    isPreparing: false,
    targetSession: 'read-write',
    isReplicating: true,
  });
  if (!connected.ok) return connected;
  const session = connected.value;
  const started = await start(session, options);
  if (!started.ok) {
    await session.close();
    return started;
  }
  return started;
}

async function start(session: Session, options: LogStreamOptions): Promise<Result<LogStream, ApiError>> {
  const prepared = await query(session, SETTINGS);
  if (!prepared.ok) return prepared;
  const created = await query(
    session,
    `CREATE_REPLICATION_SLOT ${options.slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`,
  );
  if (!created.ok) return created;
  const identified = await query(session, 'IDENTIFY_SYSTEM');
  if (!identified.ok) return identified;
  const timeline = Number(identified.value[0]?.[1]);
  const lsn = parseLsn(created.value[0]?.[1] ?? '');
  if (!Number.isSafeInteger(timeline) || lsn === undefined)
    return fail({ kind: 'connectionLost', details: 'the database server has not named the start of its log' });
  const names = quoteIdentifier(options.publication).replaceAll("'", "''");
  const run = new LogRun(session, timeline, options);
  const begun = await run.begin(
    `START_REPLICATION SLOT ${options.slot} LOGICAL 0/0 (proto_version '1', publication_names '${names}')`,
  );
  if (!begun.ok) return begun;
  session.onLoss = (details) => {
    run.stop();
    options.onLoss(details);
  };
  return ok({
    start: { timeline, lsn: endOfRecord(lsn) },
    ask: () => run.report(true),
    pause: () => {
      run.isPaused = true;
      session.pause();
    },
    resume: () => {
      run.isPaused = false;
      session.resume();
    },
    close: () => {
      run.stop();
      return session.close();
    },
  });
}

class LogRun implements Exchange {
  /** Whether nothing is read, so that silence says nothing about the server. */
  isPaused = false;
  readonly #session: Session;
  readonly #options: LogStreamOptions;
  readonly #timeline: number;
  readonly #decoder: LogDecoder;
  #settle: ((begun: Result<void, ApiError>) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #received = 0n;
  /** Whether the server has sent anything since the last report. */
  #hasHeard = true;

  constructor(session: Session, timeline: number, options: LogStreamOptions) {
    this.#session = session;
    this.#timeline = timeline;
    this.#decoder = new LogDecoder(timeline);
    this.#options = options;
  }

  /** Resolves when the server begins to send. */
  begin(statement: string): Promise<Result<void, ApiError>> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#session.send([encodeSimpleQuery(statement)], this);
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  receiveCopy(message: ServerMessage): void {
    this.#hasHeard = true;
    if (message.type === COPY_BOTH) {
      this.#timer = setInterval(() => this.#checkAndReport(), REPORT_MS);
      this.#settle?.(ok(undefined));
      this.#settle = undefined;
    } else if (message.type === COPY_DATA) this.#readOrEnd(message);
    else this.#session.destroy('the database server ended the replication');
  }

  receive(): void {
    if (this.#settle === undefined) this.#session.destroy('the database server ended the replication');
  }

  refuse(error: ServerError): void {
    this.#settle?.({ ok: false, error: toDatabaseError(error, { isPreparing: false, isInternal: false }) });
    this.#settle = undefined;
    this.#session.destroy(error.report.message);
  }

  lose(details: string): void {
    this.stop();
    this.#settle?.({ ok: false, error: { kind: 'connectionLost', details } });
    this.#settle = undefined;
  }

  /** A message that cannot be read ends the connection, after which everything is read again. */
  #readOrEnd(message: ServerMessage): void {
    try {
      this.#read(message);
    } catch (error) {
      this.#session.destroy(`a change in the log cannot be read: ${String(error)}`);
    }
  }

  #read({ bytes, start, end }: ServerMessage): void {
    const cursor = new MessageCursor(bytes.subarray(start, end));
    const kind = cursor.letter();
    if (kind === 'k') {
      const lsn = cursor.uint64();
      this.#note(lsn);
      this.#options.onPosition({ timeline: this.#timeline, lsn: endOfRecord(lsn) });
      cursor.skip(8);
      if (cursor.letter() === '\u0001') this.report(false);
    } else if (kind === 'w') {
      cursor.skip(8);
      this.#note(cursor.uint64());
      cursor.skip(8);
      const transaction = this.#decoder.decode(cursor.rest());
      if (transaction !== undefined) this.#options.onTransaction(transaction);
    }
  }

  #note(position: bigint): void {
    if (position > this.#received) this.#received = position;
  }

  #checkAndReport(): void {
    if (!this.#hasHeard && !this.isPaused) return this.#session.destroy('the database server no longer responds');
    this.#hasHeard = false;
    this.report(true);
  }

  /** Nothing is ever sent again, so everything received counts as flushed. */
  report(asksForReply: boolean): void {
    const data = Buffer.alloc(34);
    data.write('r', 0, 'latin1');
    for (const at of [1, 9, 17]) data.writeBigUInt64BE(this.#received, at);
    data.writeUInt8(asksForReply ? 1 : 0, 33);
    this.#session.send([encodeCopyData(data)], this);
  }
}
