// Provides pool connections for Rowhouse's own queries and aborts these queries at shutdown.
import type { Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Pool } from '../../postgres/pool/pool.ts';
import type { Session } from '../../postgres/session/session.ts';

export type SessionProvider = Pick<Pool, 'use'>;

export class InternalQueries implements SessionProvider {
  readonly #pool: Pool;
  readonly #sessions: Set<Session> = new Set();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  use<T>(work: (session: Session) => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
    return this.#pool.use(async (session) => {
      this.#sessions.add(session);
      try {
        return await work(session);
      } finally {
        this.#sessions.delete(session);
      }
    });
  }

  abandon(): void {
    for (const session of this.#sessions) session.destroy('the server is shutting down');
  }
}
