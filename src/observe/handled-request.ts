// A handled request: the response to send, and what the logs need.
import type { HttpResponse } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RenderedError } from '../errors/render-error.ts';
import type { LegacyName } from '../plan/levels/select-tree.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';

/** The response and the facts about its origin that are logged. */
export interface HandledRequest {
  readonly kind: 'preflight' | 'request';
  readonly response: HttpResponse;
  /** Effective role; undefined if none was determined. */
  readonly role: string | undefined;
  readonly failure: Failure | undefined;
  /** The transaction, if one was run. */
  readonly script: TransactionScript | undefined;
  /** Embeds that were addressed by a deprecated name. */
  readonly legacyNames: readonly LegacyName[];
}

/** Of a request that is answered without reading the database, and not logged. */
export const NO_LOG_DETAILS = { role: undefined, failure: undefined, script: undefined, legacyNames: [] } as const;

/** An error in both forms: as rendered for the client and as raised. */
export interface Failure extends RenderedError {
  readonly error: ApiError;
}
