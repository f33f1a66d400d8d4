// What a piece of work gets from the pool and holds until its promise settles.
import type { FallbackStatements } from './fallback-statements.ts';
import type { KeptEstimates } from './kept-estimates.ts';
import type { Session } from '../session/session.ts';
import type { StreamPermit } from '../stream/stream-permits.ts';

export interface Lease {
  readonly session: Session;
  /** Taken when a body is streamed to or from the client while the connection is in use. */
  readonly permit: StreamPermit;
  /** Single-row statements of the pool that need their general form. */
  readonly fallbacks: FallbackStatements;
  readonly estimates: KeptEstimates;
}
