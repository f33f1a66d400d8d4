// Runs the setup SQL as the user of the URI.
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { query } from '../../src/postgres/session/query.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import { describeFailure } from '../support/describe-failure.ts';

/**
 * Runs `setup` in one transaction. An error is a message for the user.
 *
 * @param trigger requires a superuser; everything else works without it
 * @returns why the trigger was not created
 */
export async function runSetup(
  connectionString: string,
  setup: readonly string[],
  trigger: readonly string[],
): Promise<Result<{ readonly refusal: string | undefined }, string>> {
  const session = await openSession(connectionString);
  if (!session.ok) return session;
  const done = await runTransaction(session.value, setup);
  const triggered = done.ok ? await runTransaction(session.value, trigger) : done;
  await session.value.close();
  if (!done.ok) return failWith(done);
  return ok({ refusal: triggered.ok ? undefined : describeFailure(triggered.error, SVC_DIALECT) });
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

export function failWith(
  { error }: { readonly error: ApiError },
  before = 'Nothing was done. ',
): Result<never, string> {
  return fail(`${before}${describeFailure(error, SVC_DIALECT)}`);
}

export async function openSession(connectionString: string): Promise<Result<Session, string>> {
  const session = await connect({ connectionString, environment: process.env, product: PRODUCT, isPreparing: false });
  return session.ok ? session : failWith(session);
}
