// Transaction scripts against a real PostgreSQL: their effects and their results.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MainStatement } from '../../../src/contract/transaction.ts';
import type { TransactionScript, Segment } from '../../../src/sql/transaction-script.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { runAlone } from '../support/run-alone.ts';
import { adminUri, createDatabase, runSql } from '../../support/database.ts';
import { bodyOf, openSession, outcomeOf, rowsOf, valueOf } from '../support/connect-test.ts';
import { mainStatement, readScript, type ScriptChanges, SEARCH_PATH, writeScript } from '../support/scripts.ts';
import { use, whenOver } from '../../support/use.ts';

const FIXTURE = `
  create table item (id int primary key, n int unique deferrable initially deferred);
  create role script_reader;
  grant select on item to script_reader;
`;

whenOver(() => runSql(adminUri(), 'drop role script_reader'));
const database = await use(createDatabase());
await runSql(database.uri, FIXTURE);
const session = await use(openSession(database.uri));

beforeEach(async () => {
  await rowsOf(session, 'truncate item');
});

function insertion(rows: string): MainStatement {
  return {
    text: `with s as (insert into item values ${rows} returning id)
           select count(*), null::bigint, null, null, count(*), '[["id","1"]]', json_agg(id)::text from s`,
    parameters: [],
    delivery: { kind: 'value', encoding: 'text' },
  };
}

const DUPLICATES = insertion('(1, 5), (2, 5)');

async function storedIds(): Promise<readonly (string | null | undefined)[]> {
  return (await rowsOf(session, 'select id from item order by id')).map(([id]) => id);
}

test('too many parameters for a statement are rejected before anything is sent', async () => {
  const reply = await runAlone(session, readScript(mainStatement(`'x'`, Array<string>(65_536).fill('1'))));
  expect(reply).toStrictEqual({
    ok: false,
    error: {
      kind: 'limitExceeded',
      limit: 'values and keys of a request make up to 65535 parameters',
      status: 400,
    },
  });
  expect(await rowsOf(session, 'select 1')).toEqual([['1']]);
});

describe('an outcome', () => {
  test('contains body, counts, response settings, inserted rows and location', async () => {
    const main = {
      ...mainStatement(''),
      text: `select 2, 7::bigint, '[{"A":"b"}]', '418', 3::int, '[["id","1"]]', '[{"ä":1}]'`,
    };
    expect(outcomeOf(await runAlone(session, readScript(main)))).toStrictEqual({
      body: Buffer.from('[{"ä":1}]'),
      pageRows: 2,
      total: 7,
      plannedTotal: undefined,
      settingHeaders: '[{"A":"b"}]',
      settingStatus: '418',
      inserted: 3,
      location: '[["id","1"]]',
    });
  });

  test('contains a bytea body as raw bytes, and the other columns as usual', async () => {
    const main: MainStatement = {
      text: `select 2::int, 7::bigint, '[]'::json, '418'::text, null::int, null::text, '\\x00ff'::bytea`,
      parameters: [],
      delivery: { kind: 'value', encoding: 'binary' },
    };
    expect(outcomeOf(await runAlone(session, readScript(main)))).toStrictEqual({
      body: Buffer.from([0, 255]),
      pageRows: 2,
      total: 7,
      plannedTotal: undefined,
      settingHeaders: '[]',
      settingStatus: '418',
      inserted: undefined,
      location: undefined,
    });
  });

  test('results from text, undecoded bytes, binary and null parameters', async () => {
    const main = mainStatement(`concat_ws('|', $1::text, $2::json->>'a', encode($3::bytea, 'hex'), $4::text is null)`, [
      'ö😀',
      [Buffer.from('{"a":'), Buffer.from('"ä"}')],
      { kind: 'binary', bytes: [new Uint8Array([0, 255])] },
      null,
    ]);
    expect(bodyOf(await runAlone(session, readScript(main)))).toBe('ö😀|ä|00ff|t');
  });

  test('contains the planned total on request', async () => {
    const plannedCount = { text: 'explain (format json) select from generate_series(1, 1234)', parameters: [] };
    const outcome = outcomeOf(await runAlone(session, readScript(mainStatement('1'), { plannedCount })));
    expect(outcome.plannedTotal).toBe(1234);
  });

  test('contains the lines of an EXPLAIN', async () => {
    const main: MainStatement = {
      text: 'explain (costs off) select 1 union all select 2',
      parameters: [],
      delivery: { kind: 'explain' },
    };
    const [result] = valueOf(await runAlone(session, readScript(main)));
    expect(result.kind === 'lines' && result.lines.map(String)).toStrictEqual([
      'Append',
      '  ->  Result',
      '  ->  Result',
    ]);
  });
});

describe('settings', () => {
  const look = mainStatement(
    `concat_ws('|', current_setting('search_path'), current_setting('request.method', true), current_setting('transaction_read_only'))`,
  );

  test.each<[string, ScriptChanges]>([
    ['an implicit transaction', {}],
    ['an explicit transaction', { isolation: 'repeatable read' }],
  ])('apply in %s and do not leak into the next', async (_, changes) => {
    expect(bodyOf(await runAlone(session, readScript(look, changes)))).toBe('"public"|GET|on');
    expect(await leftOvers()).toBe('"$user", public||off');
  });

  test('do not leak out of a script that fails', async () => {
    expect(await runAlone(session, readScript(mainStatement('1/0')))).toMatchObject({ ok: false });
    expect(await leftOvers()).toBe('"$user", public||off');
  });

  test('of the role do not leak', async () => {
    const settings = { text: `select set_config('search_path', $1, true), set_config('role', $2, true)` };
    const script = readScript(mainStatement('current_user::text'), {
      settings: { ...settings, parameters: [SEARCH_PATH, 'script_reader'] },
    });
    expect(bodyOf(await runAlone(session, script))).toBe('script_reader');
    const [row] = await rowsOf(session, 'select current_user = session_user');
    expect(row).toStrictEqual(['t']);
  });

  async function leftOvers(): Promise<string | null | undefined> {
    const [row] = await rowsOf(session, look.text);
    return row?.at(-1);
  }
});

describe('access and isolation', () => {
  test.each<[string, ScriptChanges]>([
    ['an implicit transaction', {}],
    ['an explicit transaction', { end: 'rollback' }],
  ])('a write in %s that is read-only fails with 25006', async (_, changes) => {
    expect(await runAlone(session, readScript(insertion('(1, 1)'), changes))).toMatchObject({
      ok: false,
      error: { kind: 'database', report: { sqlstate: '25006' } },
    });
  });

  test.each(['repeatable read', 'serializable'] as const)('isolation level %s applies', async (isolation) => {
    const main = mainStatement(`current_setting('transaction_isolation')`);
    expect(bodyOf(await runAlone(session, readScript(main, { isolation })))).toBe(isolation);
    expect(bodyOf(await runAlone(session, writeScript(main, { isolation })))).toBe(isolation);
    expect(bodyOf(await runAlone(session, readScript(main)))).toBe('read committed');
  });

  test('the pre-request statement runs after the settings and before the main statement', async () => {
    const preRequest = {
      text: `select set_config('request.method', current_setting('request.method') || '!', true)`,
      parameters: [],
    };
    const main = mainStatement(`current_setting('request.method')`);
    expect(bodyOf(await runAlone(session, readScript(main, { preRequest })))).toBe('GET!');
  });
});

describe('the end of a transaction', () => {
  test('a commit keeps the changes', async () => {
    expect(outcomeOf(await runAlone(session, writeScript(insertion('(1, 1)')))).inserted).toBe(1);
    expect(await storedIds()).toStrictEqual(['1']);
  });

  test.each<[string, ScriptChanges]>([
    ['at the Sync', {}],
    ['at COMMIT', { isolation: 'serializable' }],
    ['at COMMIT after verification', { verify: () => undefined }],
  ])('a deferred constraint that fails %s is an error and leaves no changes', async (_, changes) => {
    expect(await runAlone(session, writeScript(DUPLICATES, changes))).toMatchObject({
      ok: false,
      error: { kind: 'database', report: { sqlstate: '23505' } },
    });
    expect(await storedIds()).toStrictEqual([]);
  });

  test('a rollback returns the same result as a commit and leaves no changes', async () => {
    const reply = await runAlone(session, writeScript(insertion('(1, 1)'), { end: 'rollback' }));
    expect(outcomeOf(reply)).toMatchObject({ body: Buffer.from('[1]'), inserted: 1, location: '[["id","1"]]' });
    expect(await storedIds()).toStrictEqual([]);
  });

  test.each<[string, ScriptChanges]>([
    ['', {}],
    [' after verification', { verify: () => undefined }],
  ])('a rollback%s still reports a deferred constraint', async (_, changes) => {
    expect(await runAlone(session, writeScript(DUPLICATES, { end: 'rollback', ...changes }))).toMatchObject({
      ok: false,
      error: { kind: 'database', report: { sqlstate: '23505' } },
    });
    expect(await storedIds()).toStrictEqual([]);
    expect(bodyOf(await runAlone(session, readScript(mainStatement(`'next'`))))).toBe('next');
  });

  test('verify receives the outcome; its error is the reply and leaves no changes', async () => {
    const error: ApiError = { kind: 'notSingular', rows: 2 };
    const seen: unknown[] = [];
    const verify: Segment['verify'] = (outcome) => {
      seen.push(outcome.pageRows);
      return error;
    };
    const script = writeScript(insertion('(1, 1), (2, 2)'), { verify });
    expect(await runAlone(session, script)).toStrictEqual({ ok: false, error });
    expect(seen).toStrictEqual([2]);
    expect(await storedIds()).toStrictEqual([]);
  });

  test('a write that passes verification keeps its changes', async () => {
    valueOf(await runAlone(session, writeScript(insertion('(1, 1)'), { verify: () => undefined })));
    expect(await storedIds()).toStrictEqual(['1']);
  });

  test('a failed statement is not verified', async () => {
    const seen: unknown[] = [];
    const verify: Segment['verify'] = (outcome) => {
      seen.push(outcome);
      return undefined;
    };
    expect(await runAlone(session, writeScript(mainStatement('1/0'), { verify }))).toMatchObject({
      ok: false,
      error: { kind: 'database', report: { sqlstate: '22012' } },
    });
    expect(seen).toStrictEqual([]);
  });

  test('an undecodable outcome is rolled back if there is a verify function', async () => {
    const main = { ...insertion('(1, 1)'), text: 'insert into item values (1, 1)' };
    const script = writeScript(main, { verify: () => undefined });
    expect(await runAlone(session, script)).toStrictEqual({
      ok: false,
      error: { kind: 'undecodableResult', details: 'expected one row, got 0' },
    });
    expect(await storedIds()).toStrictEqual([]);
  });
});

describe('several segments', () => {
  const insertRow = (id: number, verify?: () => ApiError | undefined): TransactionScript =>
    writeScript(insertion(`(${id}, ${id})`), { verify });
  const joined = (...scripts: readonly TransactionScript[]): TransactionScript => {
    const [first, ...others] = scripts.flatMap(({ segments }) => segments);
    return { ...writeScript(insertion('(0, 0)')), segments: [first!, ...others] };
  };

  test('form one transaction, each with its settings and its result', async () => {
    const method = readScript(mainStatement(`current_setting('request.method', true)`));
    const other = { text: `select set_config('request.method', 'PATCH', true)`, parameters: [] };
    const [{ main }] = method.segments;
    const patched = writeScript(main, { settings: other });
    const reply = await runAlone(session, joined(insertRow(1), patched, insertRow(2), writeScript(main)));
    const bodies = valueOf(reply).map((result) => bodyOf({ ok: true, value: [result] }));
    expect(bodies).toStrictEqual(['[1]', 'PATCH', '[2]', 'GET']);
    expect(await storedIds()).toStrictEqual(['1', '2']);
  });

  test('leave no changes if one fails', async () => {
    const reply = await runAlone(session, joined(insertRow(1), insertRow(1), insertRow(2)));
    expect(reply).toMatchObject({ ok: false, error: { report: { sqlstate: '23505' } } });
    expect(await storedIds()).toStrictEqual([]);
  });

  test('leave no changes if one fails verification', async () => {
    const error: ApiError = { kind: 'schemaCacheMissing' };
    expect(
      await runAlone(
        session,
        joined(
          insertRow(1),
          insertRow(2, () => error),
          insertRow(3),
        ),
      ),
    ).toStrictEqual({ ok: false, error });
    expect(await storedIds()).toStrictEqual([]);
    expect(
      (
        await runAlone(
          session,
          joined(
            insertRow(1),
            insertRow(2, () => undefined),
          ),
        )
      ).ok,
    ).toBe(true);
    expect(await storedIds()).toStrictEqual(['1', '2']);
  });
});

describe('prepared statements', () => {
  const COUNT = 'select count(*)::text from pg_prepared_statements';

  test('are prepared once per text and search path', async () => {
    const fresh = await openSession(database.uri);
    const script = readScript(mainStatement('1'));
    for (let time = 0; time < 3; time += 1) valueOf(await runAlone(fresh, script));
    const readNames = `select split_part(name, '_', 1) from pg_prepared_statements order by 1`;
    expect(await rowsOf(fresh, readNames)).toStrictEqual([['s1'], ['s2']]);
    const settings = { ...script.segments[0].settings, parameters: ['"pg_catalog"', 'GET'] };
    const other = readScript(mainStatement('1'), { settings });
    for (let time = 0; time < 2; time += 1) valueOf(await runAlone(fresh, other));
    expect(await rowsOf(fresh, readNames)).toStrictEqual([['s1'], ['s2'], ['s3']]);
    await fresh.close();
  });

  test('O183 are not used if preparing is disabled', async () => {
    const fresh = await openSession(database.uri, { isPreparing: false });
    for (let time = 0; time < 2; time += 1) {
      expect(bodyOf(await runAlone(fresh, readScript(mainStatement(`(${COUNT})`))))).toBe('0');
    }
    await fresh.close();
  });

  test('are limited in number; the least recently used one is evicted', async () => {
    const fresh = await openSession(database.uri);
    const kept = readScript(mainStatement(`'kept'`));
    for (let shape = 0; shape < 300; shape += 1) {
      valueOf(await runAlone(fresh, readScript(mainStatement(`'shape ${shape}'`))));
      valueOf(await runAlone(fresh, kept));
    }
    const [row] = await rowsOf(
      fresh,
      `select count(*), count(*) filter (where statement like '%kept%') from pg_prepared_statements`,
    );
    expect(row).toStrictEqual(['256', '1']);
    await fresh.close();
  });

  test('are not shared between roles', async () => {
    const fresh = await openSession(database.uri);
    for (const role of ['none', 'script_reader', 'none', 'script_reader']) {
      valueOf(await runAlone(fresh, readScript(mainStatement('1'), { role })));
    }
    const statements = await rowsOf(
      fresh,
      `select statement from pg_prepared_statements where statement like '%null::text, 1%'`,
    );
    expect(new Set(statements.flat()).size).toBe(2);
    await fresh.close();
  });

  describe('take limited server memory', () => {
    const MEGABYTE = 1e6;

    /** @returns the bytes that `count` statements with this many conditions cost the server */
    async function costOf(count: number, conditions: number): Promise<number> {
      const fresh = await openSession(database.uri);
      const readMemory = async (): Promise<number> =>
        Number((await rowsOf(fresh, 'select sum(total_bytes) from pg_backend_memory_contexts'))[0]?.[0]);
      const where = Array.from({ length: conditions }, (_, index) => `id >= $${index + 1}`).join(' and ');
      const before = await readMemory();
      for (let number = 0; number < count; number += 1) {
        const main = mainStatement('', Array<string>(conditions).fill('1'));
        const text = `select count(*) as x${number}, null::bigint, null::text, null::text, '[]' from item where ${where}`;
        valueOf(await runAlone(fresh, readScript({ ...main, text })));
      }
      const cost = (await readMemory()) - before;
      await fresh.close();
      return cost;
    }

    test('if their texts are long', async () => {
      expect(await costOf(30, 1500)).toBeLessThan(6 * MEGABYTE);
    });

    test('if many texts are of medium length', async () => {
      expect(await costOf(80, 500)).toBeLessThan(16 * MEGABYTE);
    });
  });

  describe('that are outdated', () => {
    beforeEach(async () => {
      await rowsOf(session, 'drop table if exists changing');
      await rowsOf(session, 'create table changing (a int)');
      await rowsOf(session, 'insert into changing values (1)');
    });

    test.each<[string, ScriptChanges]>([
      ['read', {}],
      ['explicit transaction', { isolation: 'serializable' }],
      ['verified script', { verify: () => undefined }],
    ])('are prepared again after their result type changed (%s)', async (_, changes) => {
      const main: MainStatement = {
        ...mainStatement(''),
        text: 'select 1, null::bigint, null, null, a from changing',
      };
      expect(bodyOf(await runAlone(session, writeScript(main, changes)))).toBe('1');
      await rowsOf(session, `alter table changing alter a type text using 'text ' || a`);
      expect(bodyOf(await runAlone(session, writeScript(main, changes)))).toBe('text 1');
    });

    test('are prepared again if the parameter had the type of the former column', async () => {
      const text = 'select 1, null, null, null, count(*)::text from changing where a = $1';
      const script = readScript({ ...mainStatement('', ['1']), text });
      expect(bodyOf(await runAlone(session, script))).toBe('1');
      await rowsOf(session, 'alter table changing alter a type text');
      expect(bodyOf(await runAlone(session, script))).toBe('1');
    });

    test('are prepared again after DEALLOCATE', async () => {
      const script = readScript(mainStatement(`'again'`));
      valueOf(await runAlone(session, script));
      await rowsOf(session, 'deallocate all');
      expect(bodyOf(await runAlone(session, script))).toBe('again');
    });

    test('are prepared again after the type of a parameter was recreated', async () => {
      await rowsOf(session, `create type colour as enum ('red')`);
      const script = readScript(mainStatement(`(select $1::colour::text)`, ['red']));
      expect(bodyOf(await runAlone(session, script))).toBe('red');
      await rowsOf(session, 'drop type colour');
      await rowsOf(session, `create type colour as enum ('red')`);
      expect(bodyOf(await runAlone(session, script))).toBe('red');
    });

    test('are retried once, not forever', async () => {
      const script = readScript({ ...mainStatement(''), text: 'select 1, null, null, null, a from changing' });
      valueOf(await runAlone(session, script));
      await rowsOf(session, 'drop table changing');
      expect(await runAlone(session, script)).toMatchObject({ ok: false, error: { report: { sqlstate: '42P01' } } });
    });

    test('are not retried after an error that the statement itself raised', async () => {
      await rowsOf(session, 'create sequence if not exists runs');
      await rowsOf(
        session,
        `create or replace function refuse() returns text language plpgsql as
         $$ begin perform nextval('runs'); raise sqlstate '42883'; end $$`,
      );
      const script = writeScript(mainStatement('refuse()'));
      for (let time = 0; time < 3; time += 1) expect(await runAlone(session, script)).toMatchObject({ ok: false });
      expect(await rowsOf(session, 'select last_value from runs')).toStrictEqual([['3']]);
    });
  });
});

describe('cancelled requests', () => {
  const SLEEP = readScript(mainStatement('pg_sleep(600)::text'));

  test('a running script is cancelled, and the session serves the next one', async () => {
    const controller = new AbortController();
    const running = runAlone(session, SLEEP, controller.signal);
    await sleep(100);
    controller.abort();
    expect(await running).toMatchObject({ ok: false, error: { kind: 'database', report: { sqlstate: '57014' } } });
    expect(session.isUsable).toBe(true);
    expect(bodyOf(await runAlone(session, readScript(mainStatement(`'next'`))))).toBe('next');
  });

  test('a script cancelled before it starts is not sent', async () => {
    const script = writeScript(insertion('(1, 1)'));
    expect(await runAlone(session, script, AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { report: { sqlstate: '57014' } },
    });
    expect(await storedIds()).toStrictEqual([]);
  });

  test('a signal that does not fire has no effect', async () => {
    const { signal } = new AbortController();
    expect(bodyOf(await runAlone(session, readScript(mainStatement(`'calm'`)), signal))).toBe('calm');
  });
});
