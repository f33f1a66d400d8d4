// `init --idempotency` as an operator runs it.
import { expect, test } from 'vitest';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { type Ended, runProgram } from '../../support/spawned-server.ts';
import { createDatabase } from '../../support/database.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { use } from '../../support/use.ts';

const database = await use(createDatabase());

function init(...args: readonly string[]): Promise<Ended> {
  return runProgram(['init', '--idempotency', ...args], { environment: { DATABASE_URL: '' } });
}

const count = async (): Promise<unknown> =>
  withConnection(database.uri, async (client) => {
    const text = `select count(*)::int from pg_proc join pg_namespace n on n.oid = pronamespace where nspname = 'my keys'`;
    return (await client.query({ text, rowMode: 'array' })).rows[0] as unknown;
  });

test('B67i --print only shows the SQL', async () => {
  const shown = `${renderIdempotencySetup('idempotency').join('\n')}\n`;
  expect(await init('--print')).toEqual({ code: 0, stderr: '', stdout: shown });
  expect(await init(database.uri)).toEqual({
    code: 0,
    stderr: 'Nothing was run. Pass --yes to run it, or --print to only show it.\n',
    stdout: shown,
  });
  expect(await init('--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('Specify the database') });
});

test('B67j --yes creates the table and its functions, also a second time', async () => {
  for (let time = 0; time < 2; time += 1) {
    const ended = await init('--yes', '--schema', 'my keys', database.uri);
    expect(ended).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('db-idempotency-schema = "my keys"'),
    });
    expect(await count()).toEqual([2]);
  }
});

test('B67k an error of the database is reported', async () => {
  const uri = Object.assign(new URL(database.uri), { pathname: '/no_such_database' }).href;
  expect(await init('--yes', uri)).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was done.') });
});
