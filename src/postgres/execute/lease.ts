// What a piece of work gets from its pool, and owns until its promise settles: then the pool takes all of it back.
import type { FallbackStatements } from './fallback-statements.ts';
import type { Session } from '../session/session.ts';
import type { StreamTurn } from '../stream/stream-turns.ts';

export interface Lease {
  readonly session: Session;
  /** Taken when an answer leaves, or a body arrives, while the connection is in use. */
  readonly turn: StreamTurn;
  /** What the pool knows of its statements. */
  readonly fallbacks: FallbackStatements;
}
