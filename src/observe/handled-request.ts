// A handled request: the core returns it to the server, which sends the response and logs the request.
import type { HttpResponse } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RenderedError } from '../errors/render-error.ts';
import type { LegacyName } from '../plan/levels/select-tree.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';

/** The response, and what the logs need to know about its origin. */
export interface HandledRequest {
  readonly kind: 'preflight' | 'request';
  readonly response: HttpResponse;
  /** Effective role; undefined when none was found. */
  readonly role: string | undefined;
  readonly failure: Failure | undefined;
  /** The transaction, if one was run. */
  readonly script: TransactionScript | undefined;
  /** Embeds that were addressed by a deprecated name. */
  readonly legacyNames: readonly LegacyName[];
}

/** An error as it was answered, and as it arose. */
export interface Failure extends RenderedError {
  readonly error: ApiError;
}
