// What a tracing system is told of a request (`beyond.md` §3.4). The only implementation is in `extensions/tracing/`.
import type { Result } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { OnPhase } from './phases.ts';
import type { Client } from './request-report.ts';

export type RunScript = (script: TransactionScript) => Promise<Result<ScriptResults, ApiError>>;

export interface RequestTrace {
  /** Names the request's span in the format of W3C Trace Context. */
  readonly traceparent: string;
  /** Undefined if nothing is recorded, because the request is not sampled. */
  readonly onPhase: OnPhase | undefined;
  /** Records each transaction that runs. */
  wrap(runScript: RunScript): RunScript;
  /** @param code of the error, if the request failed */
  end(status: number, code: string | undefined): void;
}

export interface TracedRequest {
  readonly request: HttpRequest;
  readonly client: Client;
  /** Milliseconds of the monotonic clock. */
  readonly start: number;
  readonly cache: SchemaCache | undefined;
  /** A route of an extension, which no schema contains. */
  readonly ownPath: string | undefined;
}

/** Nothing here throws, nor do the traces. */
export interface RequestTracing {
  /** @returns undefined if the request cannot be traced */
  begin(traced: TracedRequest): RequestTrace | undefined;
}
