// Sessions of `rowhouse/testing`: what a request does in the transaction of a test, and that nothing of it stays.
import { afterAll, describe, expect, test } from 'vitest';
import { createHmac } from 'node:crypto';
import { openProject } from '../../../tools/testing/index.ts';
import { useFolders } from '../project/folder.ts';
import { LEDGER } from './ledger-project.ts';

const project = await openProject(useFolders()(LEDGER));
const ANN = { role: 'web_user', sub: 'ann' };
const BOB = { role: 'web_user', sub: 'bob' };
const RETURNING = { headers: { Prefer: 'return=representation' } };

// Before others are open.
const keys: number[] = [];
for (const _ of [1, 2, 3])
  await project.test(async (as) => {
    const { rows } = await as(ANN).post('/accounts', { owner: 'ann', label: 'new' }, RETURNING);
    keys.push(rows[0].id);
  })();
const rest = await project.begin();
afterAll(() => rest.end());

describe('P35 what a test changes', () => {
  test('P35a is seen by its later requests and by nobody else, and is gone at its end', async () => {
    await project.test(async (as) => {
      const made = await as(ANN).post('/accounts', { owner: 'ann', label: 'new' }, RETURNING);
      expect([made.status, made.rows[0].label]).toEqual([201, 'new']);
      expect((await as(ANN).get('/accounts')).rows).toHaveLength(3);
      expect((await rest.as(ANN).get('/accounts')).rows).toHaveLength(2);
    })();
    expect((await rest.as(ANN).get('/accounts')).rows).toHaveLength(2);
  });

  test('P35k tests that follow each other get the same keys', () => {
    expect(keys).toEqual([4, 4, 4]);
  });

  test('P35b a failed request undoes only itself', async () => {
    await project.test(async (as) => {
      await as(ANN).patch('/accounts?id=eq.1', { label: 'first' });
      const failed = await as(ANN).post('/accounts', { owner: 'ann', label: 'first' });
      expect([failed.status, failed.body.code, failed.rows]).toEqual([409, '23505', []]);
      const refused = await as(ANN).post('/accounts', { owner: 'bob' });
      expect([refused.status, refused.body.code]).toEqual([403, '42501']);
      const { rows } = await as(ANN).get('/accounts?select=label&order=id');
      expect(rows).toEqual([{ label: 'first' }, { label: 'savings' }]);
    })();
  });

  test('P35c deferred constraints are checked at the end of each request, and deferred again', async () => {
    await project.test(async (as) => {
      const entry = { account_id: 99, amount: 1 };
      const failed = await as.nobody.post('/entries', entry);
      expect([failed.status, failed.body.code]).toEqual([409, '23503']);
      expect((await as.nobody.get('/entries')).rows).toHaveLength(2);
      // Only at the end of a call or a request.
      for (const amount of [1, 2]) {
        await as.owner`
          insert into api.entries (account_id, amount) values (50, 5);
          insert into api.accounts (id, owner) overriding system value values (50, 'cy');
          delete from api.entries where account_id = 50;
          delete from api.accounts where id = 50;`;
        expect((await as.nobody.post('/entries', { account_id: 1, amount })).status).toBe(201);
      }
    })();
  });

  test('P35d a constraint that is immediate stays so after a request has deferred it', async () => {
    await project.test(async (as) => {
      expect((await as.nobody.rpc('defer_all')).status).toBe(204);
      // One statement at a time: deferred, the second row would only be found at the end.
      await expect(
        as.owner`
          insert into api.entries (account_id, amount) values (1, 10);
          delete from api.entries where account_id = 1`,
      ).rejects.toMatchObject({ code: '23505' });
    })();
  });

  test('P35e role, claims, settings, temporary tables and locks of a request are gone after it', async () => {
    await project.test(async (as) => {
      expect((await as(ANN).rpc('keep_setting')).status).toBe(204);
      expect((await as.nobody.get('/rpc/whoami')).body).toEqual({
        role: 'web_anon',
        sub: null,
        kept: '',
        isReadOnly: 'on',
      });
      expect((await as(ANN).rpc('whoami')).body).toMatchObject({ role: 'web_user', sub: 'ann' });
      expect(
        await as.owner`select current_user as name, current_setting('role') as role,
          current_setting('statement_timeout') as timeout, current_setting('transaction_read_only') as ro,
          to_regclass('pg_temp.kept_rows') as temp, (select count(*) from pg_locks where objid = 42) as locks`,
      ).toEqual([{ name: 'postgres', role: 'none', timeout: '0', ro: 'off', temp: null, locks: 0 }]);
    })();
  });

  test('P35f previews, batches and idempotency keys work as in transactions of their own', async () => {
    await project.test(async (as) => {
      const count = async (): Promise<number> => (await as.nobody.get('/entries')).rows.length;
      const preview = { headers: { Prefer: 'tx=rollback, return=representation' } };
      expect((await as.nobody.post('/entries', { account_id: 1, amount: 30 }, preview)).status).toBe(201);
      expect(await count()).toBe(2);
      const lost = await as.nobody.post('/entries', { account_id: 99, amount: 30 }, preview);
      expect([lost.status, lost.body.code]).toEqual([409, '23503']);

      const batch = [
        { method: 'POST', path: '/entries', body: { account_id: 1, amount: 40 } },
        { method: 'GET', path: '/entries?amount=eq.40' },
      ];
      const type = { headers: { 'Content-Type': 'application/vnd.svc.batch+json' } };
      const answered = await as.nobody.request('POST', '/', { ...type, body: JSON.stringify(batch) });
      expect(answered.body.map(({ status }: { status: number }) => status)).toEqual([201, 200]);
      const second = await as.nobody.request('POST', '/', { ...type, body: JSON.stringify([batch[1], batch[0]]) });
      expect([second.status, second.body.request]).toEqual([409, 1]);
      expect(await count()).toBe(3);

      const keyed = { headers: { 'Idempotency-Key': '"one"', Prefer: 'return=representation' } };
      const bodies = [];
      for (const who of [ANN, BOB, ANN, BOB]) {
        const { status, body, headers } = await as(who).post('/accounts', { owner: who.sub, label: 'keyed' }, keyed);
        bodies.push([status, body[0].owner, headers.get('idempotency-replayed')]);
      }
      expect(bodies).toEqual([
        [201, 'ann', null],
        [201, 'bob', null],
        [201, 'ann', 'true'],
        [201, 'bob', 'true'],
      ]);
    })();
  });

  test('P35g rows in NDJSON arrive whole, also when another request follows at once', async () => {
    await project.test(async (as) => {
      await as.owner`insert into api.entries (account_id, amount) select 1, 1000 + n from generate_series(1, 5000) as n`;
      const lines = { headers: { Accept: 'application/x-ndjson' } };
      const [streamed, counted] = await Promise.all([
        as.nobody.get('/entries', lines),
        as.nobody.get('/entries?select=amount.sum()'),
      ]);
      expect(streamed.body.trim().split('\n')).toHaveLength(5002);
      expect(counted.status).toBeLessThan(500);
    })();
  });

  test('P35h what needs a transaction of its own is refused', async () => {
    await project.test(async (as) => {
      const isolated = /isolation level serializable.*project\.commit\(\)/su;
      await expect(as.nobody.rpc('serializable')).rejects.toThrow(isolated);
      await expect(as(ANN).get('/accounts', { headers: { Accept: 'text/event-stream' } })).rejects.toThrow(
        'no event streams',
      );
      for (const text of ['commit', 'begin', '/* so */ rollback', 'savepoint a'])
        await expect(as.owner([text] as unknown as TemplateStringsArray)).rejects.toThrow('project.commit()');
      await expect(as.owner`select pg_notify('news', 'x')`).rejects.toThrow('project.commit()');
      await expect(
        as.owner`
          create table api.one (id int, constraint twin unique (id) deferrable initially deferred);
          create table api.two (id int, constraint twin check (id > 0))`,
      ).rejects.toThrow('Several constraints are called api.twin');
      expect((await as.nobody.rpc('end_it')).body.code).toBe('2D000');
      expect((await as.nobody.get('/entries')).rows).toHaveLength(2);
    })();
  });

  test('P35i a session that has ended refuses requests', async () => {
    const session = await project.begin();
    await session[Symbol.asyncDispose]();
    await session.end();
    await expect(session.as.nobody.get('/entries')).rejects.toThrow('has ended');
    await expect(session.as.owner`select 1`).rejects.toThrow('has ended');
  });

  test('P35j a session of `commit` has a database of its own, where all of that works', async () => {
    const session = await project.commit();
    expect((await session.as.nobody.rpc('serializable')).body).toBe(1);
    await session.as.owner`select pg_notify('news', ${'x'})`;
    expect((await session.as.nobody.post('/entries', { account_id: 1, amount: 50 })).status).toBe(201);
    expect((await session.as.nobody.get('/entries')).rows).toHaveLength(3);
    await session.end();
    expect((await rest.as.nobody.get('/entries')).rows).toHaveLength(2);
  });
});

describe('P36 clients', () => {
  test('P36a send each method with headers, and read rows, texts and empty bodies', async () => {
    await project.test(async (as) => {
      const ann = as(ANN);
      const { headers, rows } = await ann.get('accounts?select=id&order=id', { headers: { Prefer: 'count=exact' } });
      expect([headers.get('content-range'), rows]).toEqual(['0-1/2', [{ id: 1 }, { id: 3 }]]);
      const put = await ann.put('/entries?id=eq.77', { id: 77, account_id: 1, amount: 7 }, RETURNING);
      expect([put.status, put.rows]).toEqual([201, [{ id: 77, account_id: 1, amount: 7 }]]);
      const removed = await ann.delete('/entries?id=eq.77');
      expect([removed.status, removed.body, removed.rows]).toEqual([204, undefined, []]);
      const csv = await ann.get('/accounts?select=id', { headers: { Accept: 'text/csv' } });
      expect([csv.body, csv.rows]).toEqual(['id\n1\n3', []]);
      const typed = { headers: { 'Content-Type': 'text/csv', Prefer: 'return=representation' } };
      expect((await ann.post('/entries', 'account_id,amount\n1,8', typed)).rows).toMatchObject([{ amount: 8 }]);
    })();
  });

  test('P36b `nobody` sends no token, but may send one', async () => {
    await project.test(async (as) => {
      expect((await as.nobody.get('/rpc/whoami')).body.role).toBe('web_anon');
      const sent = (text: string) => ({ headers: { Authorization: `Bearer ${text}` } });
      expect((await as.nobody.get('/rpc/whoami', sent(sign({ role: 'web_user', sub: 'cy' })))).body).toMatchObject({
        role: 'web_user',
        sub: 'cy',
      });
      expect((await as.nobody.get('/rpc/whoami', sent('x.y.z'))).status).toBe(401);
      await expect(as({ role: 'no_such_role' }).get('/entries')).rejects.toThrow('may assume the role no_such_role');
      expect(() => as({ role: '' })).toThrow('name of a role');
    })();
  });

  test('P36c `owner` passes values as parameters and returns rows', async () => {
    await project.test(async (as) => {
      const values = ["it's", 7, true, null, [1, 2], { a: [1] }, new Date(0), Uint8Array.of(1, 255)];
      const [text, number, isTrue, nothing, list, json, time, bytes] = values;
      expect(
        await as.owner`select ${text}::text as text, ${number}::int as number, ${isTrue}::boolean as flag,
          ${nothing}::int as nothing, ${list}::int[] = '{1,2}' as list, ${json}::jsonb as json,
          ${time}::timestamptz = 'epoch' as time, encode(${bytes}::bytea, 'hex') as bytes`,
      ).toEqual([
        { text: "it's", number: 7, flag: true, nothing: null, list: true, json: { a: [1] }, time: true, bytes: '01ff' },
      ]);
      await expect(as.owner`select 1; select ${2}::int`).rejects.toThrow('single statement');
      await expect(as.owner`select nothing`).rejects.toMatchObject({ name: 'SqlError', code: '42703' });
      expect(await as.owner`select 1 as one; select 2 as two`).toEqual([{ two: 2 }]);
    })();
  });

  test('P36d a name that is not there is explained', async () => {
    await project.test(async (as) => {
      expect((await as.nobody.get('/entris')).body).toMatchObject({
        hint: "Perhaps you meant the table 'api.entries'",
      });
      const batch = JSON.stringify([
        { method: 'POST', path: '/entries', body: { account_id: 1, amount: 60 } },
        { method: 'GET', path: '/entris' },
      ]);
      const type = { headers: { 'Content-Type': 'application/vnd.svc.batch+json' } };
      expect((await as.nobody.request('POST', '/', { ...type, body: batch })).status).toBe(404);
    })();
  });
});

function sign(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  const key = 'a secret of the tests, long enough';
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
