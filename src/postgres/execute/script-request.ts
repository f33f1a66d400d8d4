// Runs a transaction script on a session of the pool, from the request to its reply. Takes one write and one round trip,
// except if results are checked before the commit.
import { fail } from '../../contract/result.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { REQUEST_CANCELLED } from '../connect/cancel.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { ChunkEnd } from '../session/session.ts';
import { isArriving } from './row-feed.ts';
import type { Borrower, Lease } from './lease.ts';
import { runArriving } from './run-arriving.ts';
import { type RunListener, TransactionRun } from './transaction-run.ts';

/** Learns when a script is sent and how it ends. */
export interface ScriptObserver {
  onStart(): void;
  /** Called once, with the reply that the request gets; undefined after an exception. */
  onReply(reply: ScriptReply | undefined): void;
}

export interface ScriptRequestOptions {
  readonly script: TransactionScript;
  /** Cancels a script that has not been sent, or a read in progress. A write that was sent runs to its end. */
  readonly signal: CancelSignal | undefined;
  readonly observer: ScriptObserver | undefined;
  /** Takes the reply when the transaction is over, or earlier if its body is still arriving. */
  readonly resolve: (reply: ScriptReply) => void;
  readonly reject: (error: unknown) => void;
}

/** The protocol encodes the number of parameters in 16 bits. */
const MAX_PARAMETERS = 65_535;

const TOO_MANY_PARAMETERS: ApiError = {
  kind: 'limitExceeded',
  limit: `values and keys of a request make up to ${MAX_PARAMETERS} parameters`,
  status: 400,
};

/**
 * The request for one script. Holds its lease until the transaction is over and no cancel request is in flight, even if
 * the response has started before.
 *
 * Errors: `database` (SQLSTATE as reported), `connectionLost`, `commitStatusUnknown`, `undecodableResult`,
 * `overloaded`, those of the lease, and errors from `verify`.
 */
export class ScriptRequest implements Borrower, RunListener, ChunkEnd {
  readonly client: CancelSignal | undefined;
  /** Whether the script keeps its connection for as long as the client reads or sends rows. */
  readonly needsPermit: boolean;
  readonly #options: ScriptRequestOptions;
  #lease: Lease | undefined;
  /** The result of the whole transaction. */
  #reply: ScriptReply | undefined;
  #cancel: (() => void) | undefined;
  #isAnswered = false;

  constructor(options: ScriptRequestOptions) {
    const { segments, arriving } = options.script;
    this.client = options.signal;
    this.needsPermit = segments[0].main.delivery.kind === 'ndjson' || arriving?.batches.isComplete === false;
    this.#options = options;
  }

  take(lease: Lease): void {
    const { script, signal, observer } = this.#options;
    this.#lease = lease;
    observer?.onStart();
    const refusal = hasTooManyParameters(script) ? TOO_MANY_PARAMETERS : signal?.aborted && REQUEST_CANCELLED;
    if (refusal) return this.onOver(undefined, fail(refusal));
    if (signal !== undefined && (keepsNothing(script) || script.arriving !== undefined)) {
      this.#cancel = () => {
        // A write that is kept runs to its end once its request body has arrived completely.
        if (keepsNothing(script) || script.arriving?.batches.isComplete !== true) lease.stop();
      };
      signal.addEventListener('abort', this.#cancel);
    }
    if (isArriving(script)) runArriving(lease, script, this);
    else new TransactionRun(lease, script, this).start();
  }

  refuse(error: ApiError): void {
    this.#answer(fail(error));
  }

  fail(error: unknown): void {
    this.#options.observer?.onReply(undefined);
    this.#options.reject(error);
  }

  onAnswer(_run: TransactionRun, reply: ScriptReply): void {
    this.#answer(reply);
  }

  onOver(_run: TransactionRun | undefined, reply: ScriptReply): void {
    if (this.#cancel !== undefined) this.#options.signal?.removeEventListener('abort', this.#cancel);
    this.#reply = reply;
    this.#lease?.session.afterChunk(this);
  }

  afterChunk(): void {
    const [lease, reply] = [this.#lease, this.#reply];
    if (lease === undefined || reply === undefined) return;
    const stopping = lease.end();
    if (stopping === undefined && !isRefusedAsReadOnly(this.#options.script, reply)) this.#close(lease, reply);
    else this.#closeLater(lease, reply, stopping).catch((error: unknown) => this.#abandon(lease, error));
  }

  async #closeLater(lease: Lease, reply: ScriptReply, stopping: Promise<void> | undefined): Promise<void> {
    await stopping;
    // If the primary has become a standby, its other sessions are read-only too.
    if (isRefusedAsReadOnly(this.#options.script, reply) && (await lease.session.findMismatch()) !== undefined)
      lease.flushPool();
    this.#close(lease, reply);
  }

  #close(lease: Lease, reply: ScriptReply): void {
    lease.release(reply.ok);
    this.#answer(reply);
  }

  #abandon(lease: Lease, error: unknown): void {
    lease.session.taint();
    lease.release(false);
    this.fail(error);
  }

  #answer(reply: ScriptReply): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#options.observer?.onReply(reply);
    this.#options.resolve(reply);
  }
}

function hasTooManyParameters({ segments }: TransactionScript): boolean {
  for (const { main } of segments) if (main.parameters.length > MAX_PARAMETERS) return true;
  return false;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction. */
function isRefusedAsReadOnly({ access }: TransactionScript, reply: ScriptReply): boolean {
  const error = reply.ok ? undefined : reply.error;
  return access === 'read write' && error?.kind === 'database' && error.report.sqlstate === '25006';
}

/** Whether nothing is lost if the script is stopped: it only reads, or it is a preview. */
function keepsNothing({ access, end }: TransactionScript): boolean {
  return access === 'read only' || end === 'rollback';
}
