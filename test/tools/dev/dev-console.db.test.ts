// The SQL console of `rowhouse dev`: what it runs, and which requests it refuses to notice.
import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Answer, bearer, sendRequest } from '../../support/local-server.ts';
import { useHarbor } from '../../support/harbor.ts';
import { spawnServer } from '../../support/spawned-server.ts';
import { findFreePort } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.secrets (id int primary key, owner text);
    insert into api.secrets values (1, '${harbor.anon}'), (2, 'other');
    alter table api.secrets enable row level security;
    create policy own on api.secrets using (owner = current_user);
    grant select, insert, update on api.secrets to ${harbor.anon}, ${harbor.user};
  `);
const port = await findFreePort();
const options = ['--server-port', String(port), '--db-schemas', 'api', '--server-workers', '1'];
const server = spawnServer(['dev', harbor.adminUri, ...options, '--db-anon-role', harbor.anon]);
await until(() => server.stdout().includes('Ctrl-C'), { seconds: 60, why: () => server.stderr() });
const key: string = /\/#key=([\w-]+)\n/u.exec(server.stdout())?.[1] ?? '';

type Headers = Readonly<Record<string, string | undefined>>;

/** Sends a request as the explorer does, apart from the headers given. */
function send(body: string, headers: Headers = {}, { path = '/explorer/sql', method = 'POST' } = {}): Promise<Answer> {
  const own = { Host: `localhost:${port}`, Origin: `http://localhost:${port}`, 'Console-Key': key };
  const all = { ...own, 'Content-Type': 'application/json', ...headers };
  const stated = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return sendRequest({ host: '127.0.0.1', port, path }, { method, headers: Object.fromEntries(stated), body });
}

async function run(sql: string, rest: object = {}, headers: Headers = {}): Promise<Record<string, unknown>> {
  const answer = await send(JSON.stringify({ sql, ...rest }), headers);
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  return JSON.parse(answer.text) as Record<string, unknown>;
}

describe('a run', () => {
  test('returns typed columns and rows as the role of the session, under its policies', async () => {
    expect(await run('select id, owner as "Who" from secrets')).toEqual({
      kind: 'done',
      results: [
        {
          command: 'SELECT 1',
          columns: [
            { name: 'id', type: 'integer' },
            { name: 'Who', type: 'text' },
          ],
          rows: [['1', harbor.anon]],
          isCut: false,
        },
      ],
      role: harbor.anon,
      isSuperuser: false,
      maxRows: 1000,
    });
  });

  test('runs as the role of a token with its claims, or as the login role, without the key in the settings', async () => {
    const { Authorization } = bearer({ role: harbor.user, sub: '7' }, key);
    const sql = `select current_user, current_setting('request.jwt.claims', true)::json->>'sub',
      current_setting('request.headers')::json->>'console-key'`;
    expect(await run(sql, {}, { Authorization })).toMatchObject({ results: [{ rows: [[harbor.user, '7', null]] }] });
    expect(await run('select count(*) from secrets', { as: 'login' }, { Authorization })).toMatchObject({
      results: [{ rows: [['2']] }],
      isSuperuser: true,
    });
    expect((await send('{"sql":"select 1"}', { Authorization: 'Bearer wrong' })).status).toBe(401);
  });

  test('writes only if changes are allowed, in one transaction', async () => {
    const login = { as: 'login' };
    const only = 'Without "Allow changes", only SELECT, WITH, VALUES, TABLE, SHOW and EXPLAIN run.';
    expect(await run("select 1; insert into api.secrets values (3, 'x')", login)).toEqual({
      kind: 'problem',
      message: only,
      at: 10,
    });
    const hidden = 'with gone as (delete from secrets returning 1) select * from gone';
    expect(await run(hidden, login)).toMatchObject({ kind: 'failed', code: '25006' });
    const half = "insert into secrets values (3, 'x'); select 1 / 0";
    expect(await run(half, { ...login, changes: true })).toMatchObject({ kind: 'failed', code: '22012', at: 37 });
    expect(await harbor.query('select count(*)::int from api.secrets')).toEqual([[2]]);
    const whole = "insert into secrets values (3, 'x'); select count(*) from secrets";
    expect(await run(whole, { ...login, changes: true })).toMatchObject({
      results: [{ command: 'INSERT 0 1' }, { rows: [['3']] }],
    });
    expect(await harbor.query('select count(*)::int from api.secrets')).toEqual([[3]]);
  });

  test('explains one statement without running it, unless it is to be measured', async () => {
    const estimated = await run('select pg_sleep(60) from secrets', { explain: 'estimate' });
    expect(JSON.stringify(estimated)).toContain('Plan Rows');
    expect(await run('delete from secrets', { explain: 'measure', as: 'login' })).toMatchObject({ code: '25006' });
    expect(await run('select 1; select 2', { explain: 'estimate' })).toMatchObject({ kind: 'problem', at: 10 });
  });

  test('marks where the error is, in UTF-16 units of the whole text', async () => {
    const sql = "select '😀'; select nosuch, '😀'";
    expect(await run(sql)).toMatchObject({
      code: '42703',
      message: 'column "nosuch" does not exist',
      at: sql.indexOf('nosuch'),
    });
    const explained = "select 'é' , nosuch";
    expect(await run(explained, { explain: 'estimate' })).toMatchObject({ at: explained.indexOf('nosuch') });
  });

  test('serves a new view immediately', async () => {
    const sql = `create view api.fresh with (security_invoker = true) as select 1 as one;
      grant select on api.fresh to ${harbor.anon}`;
    expect(await run(sql, { as: 'login', changes: true })).toMatchObject({ kind: 'done' });
    expect((await sendRequest({ host: '127.0.0.1', port, path: '/fresh' })).text).toBe('[{"one":1}]');
  });
});

describe('limits', () => {
  test('of rows and of bytes keep the answer small', async () => {
    const many = await run('select n from generate_series(1, 300000) n');
    expect((many['results'] as [{ rows: [] }])[0].rows).toHaveLength(1000);
    expect(many).toMatchObject({ results: [{ isCut: true }] });
    const large = await run("select repeat('x', 200000) from generate_series(1, 1000)");
    expect(JSON.stringify(large).length).toBeLessThan(10_000_000);
    expect(large).toMatchObject({ results: [{ isCut: true }] });
    const huge = await run("select repeat('x', 20000000)");
    expect(huge).toMatchObject({ results: [{ rows: [], isCut: true }] });
    const several = await run("select repeat('x', 200000) from generate_series(1, 30);".repeat(10));
    expect(JSON.stringify(several).length).toBeLessThan(10_000_000);
    expect((several['results'] as { isCut: boolean }[]).map(({ isCut }) => isCut)).toEqual([
      false,
      ...Array.from({ length: 9 }, () => true),
    ]);
  });

  test('a text of several statements cannot leave its transaction', async () => {
    for (const sql of ["commit; insert into secrets values (9, 'x')", 'do $$ begin commit; end $$'])
      expect(await run(sql, { as: 'login' })).toMatchObject({ kind: 'problem' });
    const left = await run("commit; insert into secrets values (9, 'x')", { as: 'login', changes: true });
    expect(left).toMatchObject({
      code: '25000',
      hint: 'Each run is one transaction: omit BEGIN, COMMIT and ROLLBACK.',
    });
    const reopened = "select set_config('transaction_read_only', 'off', true)";
    expect(await run(reopened, { as: 'login' })).toMatchObject({ kind: 'failed', code: '25001' });
    expect(await harbor.query('select count(*)::int from api.secrets where id = 9')).toEqual([[0]]);
  });

  test('a read-only run starts no programs and writes no files, even as a superuser', async () => {
    for (const sql of ["copy (select 1) to program 'true'", "/* x */ copy (select 1) to '/dev/null'", 'reset role'])
      expect(await run(sql, { as: 'login' })).toMatchObject({ kind: 'problem' });
  });

  test('the next run never sees a role or setting of the last, and says if the text has changed its role', async () => {
    const taken = await run("reset role; select set_config('x.y', '1', false)", { changes: true });
    expect(taken).toMatchObject({ isSuperuser: true });
    expect(taken['role']).not.toBe(harbor.anon);
    expect(await run("select current_setting('x.y', true)")).toMatchObject({
      results: [{ rows: [[null]] }],
      role: harbor.anon,
    });
  });

  test('a client that leaves stops its statement', async () => {
    const aborting = new AbortController();
    const body = JSON.stringify({ sql: 'select pg_sleep(25)' });
    const headers = {
      Origin: `http://localhost:${port}`,
      Host: `localhost:${port}`,
      'Console-Key': key,
      'Content-Type': 'application/json',
    };
    const sent = sendRequest(
      { host: '127.0.0.1', port, path: '/explorer/sql' },
      { method: 'POST', headers, body, signal: aborting.signal },
    );
    const running = async (): Promise<boolean> =>
      (
        await harbor.query(
          "select 1 from pg_stat_activity where query like 'select pg_sleep(25)%' and state = 'active'",
        )
      ).length > 0;
    await until(running, { seconds: 20 });
    aborting.abort();
    await sent.catch(() => undefined);
    await until(async () => !(await running()), { seconds: 20 });
  });

  test('a client that leaves before its statement begins stops it too', async () => {
    const body = JSON.stringify({ sql: "select 'left early', pg_sleep(25)" });
    const head = [
      'POST /explorer/sql HTTP/1.1',
      `Host: localhost:${port}`,
      `Origin: http://localhost:${port}`,
      `Console-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const request = `${head.join('\r\n')}\r\n\r\n${body}`;
    for (let sent = 0; sent < 4; sent += 1) {
      const socket = net.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(request, () => socket.destroy());
      await once(socket, 'close');
    }
    const isFree = async (): Promise<boolean> => (await run('select 1'))['kind'] === 'done';
    await until(isFree, { seconds: 20 });
    const left = "select 1 from pg_stat_activity where query like 'select ''left early''%' and state = 'active'";
    await until(async () => (await harbor.query(left)).length === 0, { seconds: 20 });
  });
});

describe('to requests of anyone else, the console is an unknown path', () => {
  const body = '{"sql":"select 1"}';
  const unknown = { status: 404, code: 'SVC125' };
  const attempts: Readonly<Record<string, [Headers, object?]>> = {
    'no key': [{ 'Console-Key': undefined }],
    'a wrong key': [{ 'Console-Key': 'wrong' }],
    'no origin': [{ Origin: undefined }],
    'the page of another program on this machine': [{ Origin: 'http://localhost:1' }],
    'an origin with TLS': [{ Origin: 'https://localhost' }],
    'another name of this machine as origin': [{ Origin: 'http://127.0.0.1:1' }],
    'a proxy': [{ 'X-Forwarded-For': '10.0.0.1' }],
    'a frame of another port': [{ 'Sec-Fetch-Site': 'same-site' }],
    'the key in the URL': [{ 'Console-Key': undefined }, { path: '/explorer/sql?console-key=KEY' }],
    'the key twice': [{}, { path: '/explorer/sql?key=KEY' }],
    'another method': [{}, { method: 'PUT' }],
  };

  for (const [name, [headers, place]] of Object.entries(attempts)) {
    test(name, async () => {
      const answer = await send(body, headers, JSON.parse(JSON.stringify(place ?? {}).replace('KEY', key)) as object);
      expect({ status: answer.status, code: (JSON.parse(answer.text) as { code: string }).code }).toEqual(unknown);
    });
  }

  test('foreign origins, names that resolve to this machine, and forms are rejected', async () => {
    const foreign = [
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` },
    ];
    for (const headers of foreign) expect((await send(body, headers)).status).toBe(403);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined])
      expect((await send(body, { 'Content-Type': type })).status).toBe(415);
    const preflight = {
      Origin: 'http://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'console-key',
    };
    expect((await send('', preflight, { method: 'OPTIONS' })).status).toBe(403);
  });

  test('with hosts and origins of the API opened by configuration, the console stays closed', async () => {
    const other = await findFreePort();
    const opened = ['--server-port', String(other), '--db-schemas', 'api', '--server-allowed-hosts', ''];
    const open = spawnServer(['dev', harbor.adminUri, ...opened, '--server-workers', '1']);
    await until(() => open.stdout().includes('Ctrl-C'), { seconds: 60, why: () => open.stderr() });
    const ownKey = /\/#key=([\w-]+)\n/u.exec(open.stdout())?.[1] ?? '';
    const host = `evil.example:${other}`;
    for (const [Host, Origin] of [
      [host, `http://${host}`],
      [`localhost:${other}`, 'http://evil.example'],
    ] as const) {
      const headers = { Host, Origin, 'Console-Key': ownKey, 'Content-Type': 'application/json' };
      const answer = await sendRequest(
        { host: '127.0.0.1', port: other, path: '/explorer/sql' },
        { method: 'POST', headers, body },
      );
      expect(answer.status).toBe(404);
    }
  });
});

test('the schema description names the console under dev only', async () => {
  const headers = { Accept: 'application/vnd.svc.schema+json' };
  const { text } = await sendRequest({ host: '127.0.0.1', port, path: '/' }, { headers });
  expect(JSON.parse(text)).toMatchObject({ features: { console: true } });
});
