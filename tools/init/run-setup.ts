// Runs the setup SQL as the user of the URI.
import { PRODUCT } from '../../src/contract/product.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { query } from '../../src/postgres/session/query.ts';
import type { Session } from '../../src/postgres/session/session.ts';

export interface SetupScripts {
  readonly setup: readonly string[];
  /** Requires a superuser; everything else works without it. */
  readonly trigger: readonly string[];
}

export interface SetupOutcome {
  /** Why the trigger was not created. */
  readonly refusal: ApiError | undefined;
}

/** Runs `setup` in one transaction. */
export async function runSetup(
  connectionString: string,
  { setup, trigger }: SetupScripts,
): Promise<Result<SetupOutcome, ApiError>> {
  const environment = process.env;
  const session = await connect({ connectionString, environment, product: PRODUCT, isPreparing: false });
  if (!session.ok) return session;
  const done = await runTransaction(session.value, setup);
  const triggered = done.ok ? await runTransaction(session.value, trigger) : done;
  await session.value.close();
  return done.ok ? ok({ refusal: triggered.ok ? undefined : triggered.error }) : done;
}

async function runTransaction(session: Session, statements: readonly string[]): Promise<Result<unknown, ApiError>> {
  for (const statement of ['BEGIN', ...statements, 'COMMIT']) {
    const reply = await query(session, statement);
    if (reply.ok) continue;
    await query(session, 'ROLLBACK');
    return reply;
  }
  return ok(undefined);
}
