// `rowhouse init --idempotency`: shows the SQL of the table that stores responses, and runs it once confirmed.
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { renderIdempotencySetup } from '../../src/sql/idempotency-setup.ts';
import { describeFailure } from '../support/describe-failure.ts';
import { type Ask, askUntilValid, askYesOrNo, readUri } from './ask-again.ts';
import type { InitOptions } from './questions.ts';
import { runSetup } from './run-setup.ts';

const DEFAULT_SCHEMA = 'idempotency';

/** An error is a message for the user. */
export async function setUpIdempotency(
  { uri, schema = DEFAULT_SCHEMA, mode }: InitOptions,
  ask: Ask | undefined,
): Promise<Result<undefined, string>> {
  const setup = renderIdempotencySetup(schema);
  process.stdout.write(`${setup.join('\n')}\n`);
  if (mode === 'print') return ok(undefined);
  if (mode === 'ask' && ask === undefined) {
    process.stderr.write('Nothing was run. Pass --yes to run it, or --print to only show it.\n');
    return ok(undefined);
  }
  const target =
    uri ?? (ask && (await askUntilValid(ask, '\nDatabase URI, with a user who can create schemas: ', readUri)));
  if (target === undefined || target === '')
    return fail('Specify the database: postgres://user@host/name, with a user who can create schemas.');
  const isAccepted = ask === undefined || (await askYesOrNo(ask, '\nRun this?'));
  if (isAccepted !== true) return fail('Nothing was done.');
  const ran = await runSetup(target, { setup, trigger: [] });
  if (!ran.ok) return fail(`Nothing was done. ${describeFailure(ran.error, SVC_DIALECT)}`);
  process.stdout.write(
    `\nCreated. Add this to the configuration:\n  db-idempotency-schema = ${JSON.stringify(schema)}\n`,
  );
  return ok(undefined);
}
