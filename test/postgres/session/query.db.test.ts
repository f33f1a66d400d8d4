import { expect, test } from 'vitest';
import { ok } from '../../../src/contract/result.ts';
import { query, readInTransaction } from '../../../src/postgres/session/query.ts';
import { adminUri } from '../../support/database.ts';
import { openSession, rowsOf, valueOf } from '../support/connect-test.ts';
import { use } from '../../support/use.ts';

const session = await use(openSession(adminUri()));

test('rows are returned as text, SQL null as null', async () => {
  const reply = await query(session, 'select $1::int, null, x from unnest($2::text[]) x', ['1', '{a,ö}']);
  expect(valueOf(reply)).toStrictEqual([
    ['1', null, 'a'],
    ['1', null, 'ö'],
  ]);
});

test('O183 internal statements are never prepared under a name', async () => {
  expect(await rowsOf(session, 'select count(*) from pg_prepared_statements')).toStrictEqual([['0']]);
});

test('an error is a value, and the session remains usable', async () => {
  expect(await query(session, 'select 1/0')).toStrictEqual({
    ok: false,
    error: {
      kind: 'database',
      report: {
        sqlstate: '22012',
        message: 'division by zero',
        detail: undefined,
        hint: undefined,
        constraint: undefined,
      },
    },
  });
  expect(await rowsOf(session, 'select 1')).toStrictEqual([['1']]);
});

test('statements of one transaction share a snapshot and cannot write', async () => {
  const result = await readInTransaction(session, async (run) => {
    const first = valueOf(await run('select pg_current_snapshot()::text'));
    const second = valueOf(await run('select pg_current_snapshot()::text'));
    expect(second).toStrictEqual(first);
    const settings = `select current_setting('transaction_isolation'), current_setting('transaction_read_only')`;
    return run(settings);
  });
  expect(valueOf(result)).toStrictEqual([['repeatable read', 'on']]);
  expect(await rowsOf(session, `select current_setting('transaction_isolation')`)).toStrictEqual([['read committed']]);
});

test('an error ends the transaction and is the result', async () => {
  const result = await readInTransaction(session, (run) => run('create table never_made ()'));
  expect(result).toMatchObject({ ok: false, error: { report: { sqlstate: '25006' } } });
  expect(await rowsOf(session, `select to_regclass('never_made')`)).toStrictEqual([[null]]);
  expect(session.isUsable).toBe(true);
});

test('work that throws leaves no transaction open', async () => {
  const abandoned = await openSession(adminUri());
  const work = readInTransaction(abandoned, async () => {
    await Promise.resolve();
    throw new Error('broken');
  });
  await expect(work).rejects.toThrow('broken');
  expect(abandoned.isUsable).toBe(false);
  expect(await readInTransaction(abandoned, () => Promise.resolve(ok(1)))).toMatchObject({
    ok: false,
    error: { kind: 'connectionLost' },
  });
});
