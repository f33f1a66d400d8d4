// What needs forms of its own on shards: settings that policies read there, writes, conditions, estimates, and embeds whose
// rows lie elsewhere.
import { beforeEach, describe, expect, test } from 'vitest';
import { bearer, type LocalServer, type RequestParts, SECRET, startLocalServer } from '../support/local-server.ts';
import { runSql } from '../support/database.ts';
import { signToken } from '../../tools/token/issue-token.ts';
import { createTenants, loginUri, runStatements } from './citus-database.ts';
import { use } from '../support/use.ts';

const HOOK = `
create schema hooks;
grant usage on schema hooks to public;
create table api.paper (tenant_id int primary key, doc json, "it's ""odd""" text);
select create_distributed_table('api.paper', 'tenant_id', colocate_with => 'api.tenant');
grant all on api.paper to app_user;
do $$ begin
  execute format('alter database %I set backslash_quote = off', current_database());
end $$;
create function hooks.add_header() returns void language plpgsql as $$
begin
  perform set_config('response.headers', json_build_array(json_build_object('x-tenant',
    coalesce(current_setting('request.jwt.claims', true)::json ->> 'tenant_id', 'none')))::text, true);
end $$;`;

const database = await use(createTenants());
await runStatements(database.uri, HOOK);
const login = { uri: loginUri(database.uri), anon: 'web_anon' };
const server = await use(startLocalServer(login, { 'db-pool': 1, 'db-aggregates-enabled': true }));
/** Adds the tenant of the token to each condition, versions to each row and headers to each response. */
const strict = await use(
  startLocalServer(login, {
    'db-shard-claim': 'tenant_id',
    'db-pre-request': 'hooks.add_header',
    'server-etags': true,
  }),
);
beforeEach(() => runSql(database.uri, 'update api.counter set n = 0; delete from api.note'));

interface Reply {
  readonly status: number;
  readonly rows: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly to?: LocalServer;
}

const REPRESENTATION = { Prefer: 'return=representation' };

async function send(method: string, path: string, { body, headers, claims, to = server }: Sent = {}): Promise<Reply> {
  const token = signToken({ role: 'app_user', tenant_id: 5, ...claims }, SECRET);
  const parts: RequestParts = {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const { status, text, headers: received } = await to.get(path, parts);
  return { status, rows: text === '' ? undefined : JSON.parse(text), headers: received };
}

async function rowsOf(method: string, path: string, sent?: Sent): Promise<unknown> {
  const { status, rows } = await send(method, path, sent);
  expect(status, JSON.stringify(rows)).toBeLessThan(300);
  return rows;
}

describe('policies', () => {
  test('see the claims of the request on every shard', async () => {
    const rows = await rowsOf('GET', '/task?select=tenant_id&order=task_id');
    expect(rows).toEqual(Array.from({ length: 40 }, () => ({ tenant_id: 5 })));
    expect(await rowsOf('GET', '/task?select=count()')).toEqual([{ count: 40 }]);
    expect(await rowsOf('GET', '/task?tenant_id=eq.6')).toEqual([]);
    expect(await rowsOf('GET', '/task?select=tenant_id&limit=1', { claims: { tenant_id: 6 } })).toEqual([
      { tenant_id: 6 },
    ]);
    expect(await rowsOf('GET', '/task', { claims: { tenant_id: undefined } })).toEqual([]);
  });

  test('hold for embeds and writes', async () => {
    expect(await rowsOf('GET', '/project?tenant_id=eq.6&project_id=eq.1&select=task(task_id)')).toEqual([{ task: [] }]);
    const refused = await send('POST', '/note', { body: { tenant_id: 6, body: 'x' } });
    expect([refused.status, refused.rows]).toEqual([403, expect.objectContaining({ code: '42501' })]);
    expect((await send('POST', '/note', { body: { tenant_id: 5, body: 'x' } })).status).toBe(201);
    const changed = await rowsOf('PATCH', '/note?body=eq.x&select=tenant_id,n', {
      body: { n: 3 },
      headers: REPRESENTATION,
    });
    expect(changed).toEqual([{ tenant_id: 5, n: 3 }]);
    expect(await rowsOf('DELETE', '/note?tenant_id=eq.6', { headers: REPRESENTATION })).toEqual([]);
  });

  test.each(["O'Brien", String.raw`\'; drop table api.note; --`, 'é \u{1F600} \u007F', '"$1" %s {}', '\n\r\t'])(
    'see a claim as it is: %j',
    async (name) => {
      const claims = { name };
      expect(await rowsOf('GET', '/task?select=tenant_id&limit=1', { claims })).toEqual([{ tenant_id: 5 }]);
    },
  );

  test('see the settings of each request of a batch', async () => {
    const at = (zone: string | undefined): object => ({
      method: 'GET',
      path: '/task?task_id=eq.1&select=created_at',
      ...(zone !== undefined && { headers: { prefer: `timezone=${zone}` } }),
    });
    const rows = await rowsOf('POST', '/', {
      body: [at('Asia/Tokyo'), at(undefined), at('Europe/Paris')],
      headers: { 'Content-Type': 'application/vnd.svc.batch+json' },
    });
    expect(rows).toEqual(
      ['2024-05-06T16:08:09+09:00', '2024-05-06T07:08:09+00:00', '2024-05-06T09:08:09+02:00'].map((created_at) =>
        expect.objectContaining({ body: [{ created_at }] }),
      ),
    );
  });
});

describe('db-shard-claim', () => {
  test('narrows reads and changes to the rows of the tenant', async () => {
    expect(await rowsOf('GET', '/counter', { to: strict })).toEqual([{ tenant_id: 5, n: 0 }]);
    expect(await rowsOf('GET', '/counter?tenant_id=eq.6', { to: strict })).toEqual([]);
    expect(await rowsOf('GET', '/project?select=tenant_id,task(task_id)&limit=1&task.limit=1', { to: strict })).toEqual(
      [{ tenant_id: 5, task: [{ task_id: expect.any(Number) }] }],
    );
    const changed = await rowsOf('PATCH', '/counter?n=eq.0', { to: strict, body: { n: 7 }, headers: REPRESENTATION });
    expect(changed).toEqual([{ tenant_id: 5, n: 7 }]);
    expect(await rowsOf('GET', '/counter?n=eq.7')).toEqual([{ tenant_id: 5, n: 7 }]);
  });

  test('leaves requests without the claim as they are', async () => {
    const rows = await rowsOf('GET', '/counter?select=tenant_id', { to: strict, claims: { tenant_id: undefined } });
    expect(rows).toHaveLength(20);
  });
});

describe('an upsert', () => {
  const MERGE = { Prefer: 'resolution=merge-duplicates,return=representation' };

  test('says whether it has inserted rows', async () => {
    const merged = await send('POST', '/counter', { body: { tenant_id: 5, n: 2 }, headers: MERGE });
    expect([merged.status, merged.rows]).toEqual([200, [{ tenant_id: 5, n: 2 }]]);
    const body = [
      { tenant_id: 5, n: 3 },
      { tenant_id: 41, n: 3 },
    ];
    const both = await send('POST', '/counter?order=tenant_id', { body, headers: MERGE });
    expect([both.status, both.rows]).toEqual([201, body]);
    await runSql(database.uri, 'delete from api.counter where tenant_id = 41');
  });

  test('marks the new rows', async () => {
    const rows = await rowsOf('POST', '/counter?order=tenant_id', {
      body: [
        { tenant_id: 5, n: 4 },
        { tenant_id: 42, n: 4 },
      ],
      headers: { Prefer: 'resolution=merge-duplicates,return=representation,inserted=true' },
    });
    expect(rows).toEqual([
      { tenant_id: 5, n: 4, inserted: false },
      { tenant_id: 42, n: 4, inserted: true },
    ]);
    await runSql(database.uri, 'delete from api.counter where tenant_id = 42');
  });

  test('keeps rows, and returns them in the order of the body', async () => {
    const rows = await rowsOf('POST', '/counter', {
      body: [
        { tenant_id: 44, n: 1 },
        { tenant_id: 5, n: 1 },
        { tenant_id: 43, n: 1 },
        { tenant_id: 44, n: 2 },
      ],
      headers: { Prefer: 'resolution=keep-duplicates,return=representation,inserted=true' },
    });
    expect(rows).toEqual([
      { tenant_id: 44, n: 1, inserted: true },
      { tenant_id: 5, n: 0, inserted: false },
      { tenant_id: 43, n: 1, inserted: true },
      { tenant_id: 44, n: 1, inserted: false },
    ]);
    await runSql(database.uri, 'delete from api.counter where tenant_id > 40');
  });

  test('keeps rows whose keys are made by the database', async () => {
    const rows = await rowsOf('POST', '/note?select=tenant_id,n&order=n', {
      body: [
        { tenant_id: 5, n: 1 },
        { tenant_id: 5, n: 2 },
      ],
      headers: { Prefer: 'resolution=keep-duplicates,return=representation' },
    });
    expect(rows).toEqual([
      { tenant_id: 5, n: 1 },
      { tenant_id: 5, n: 2 },
    ]);
  });

  test('PUT replaces and inserts', async () => {
    const put = (n: number): Promise<Reply> =>
      send('PUT', '/counter?tenant_id=eq.45', { body: { tenant_id: 45, n }, headers: REPRESENTATION });
    expect((await put(1)).status).toBe(201);
    expect(await put(2)).toMatchObject({ status: 200, rows: [{ tenant_id: 45, n: 2 }] });
    await runSql(database.uri, 'delete from api.counter where tenant_id = 45');
  });
});

describe('a condition on the version', () => {
  async function versionOf(path: string): Promise<string> {
    return String((await send('GET', path, { to: strict })).headers['etag']);
  }

  test('decides a PATCH, a PUT and a DELETE', async () => {
    const path = '/counter?tenant_id=eq.5';
    const old = await versionOf(path);
    const change = (method: string, tag: string, n: number): Promise<Reply> =>
      send(method, path, {
        to: strict,
        body: method === 'PUT' ? { tenant_id: 5, n } : { n },
        headers: { ...REPRESENTATION, 'If-Match': tag },
      });
    expect(await change('PATCH', old, 1)).toMatchObject({ status: 200, rows: [{ tenant_id: 5, n: 1 }] });
    expect((await change('PATCH', old, 2)).status).toBe(412);
    expect((await change('PUT', old, 2)).status).toBe(412);
    expect(await change('PUT', await versionOf(path), 3)).toMatchObject({
      status: 200,
      rows: [{ tenant_id: 5, n: 3 }],
    });
    expect((await change('DELETE', old, 0)).status).toBe(412);
    const absent = { ...REPRESENTATION, 'If-None-Match': '*' };
    const put = await send('PUT', path, { to: strict, body: { tenant_id: 5, n: 9 }, headers: absent });
    expect(put.status).toBe(412);
  });

  test('is refused where each node has a copy of the row', async () => {
    const tag = await versionOf('/label?label_id=eq.1');
    const headers = { 'If-Match': tag };
    const { status, rows } = await send('PATCH', '/label?label_id=eq.1', { to: strict, body: { name: 'x' }, headers });
    expect([status, rows]).toEqual([400, expect.objectContaining({ code: 'SVC127' })]);
  });

  test('a row with embeds has one', async () => {
    expect(await versionOf('/task?tenant_id=eq.5&task_id=eq.1&select=task_id,comment(text)')).toMatch(/^".+\..+"$/u);
  });
});

test('a pre-request function sets headers, whatever server runs the statement', async () => {
  const requests: readonly (readonly [string, string, unknown?])[] = [
    ['GET', '/task?task_id=eq.1&select=task_id'],
    ['GET', '/label?limit=1'],
    ['GET', '/setting'],
    ['POST', '/note', { tenant_id: 5, n: 1 }],
    ['PATCH', '/counter?n=eq.0', { n: 1 }],
    ['PATCH', '/task?task_id=eq.1&select=task_id,comment(text)', { points: 1 }],
    ['DELETE', '/note?n=eq.1'],
    ['GET', '/rpc/add_them?a=1&b=2'],
  ];
  for (const [method, path, body] of requests) {
    const { headers, status } = await send(method, path, { to: strict, body, headers: REPRESENTATION });
    expect([path, status < 300, headers['x-tenant']]).toEqual([path, true, '5']);
  }
});

describe('estimates', () => {
  test('count what the shards expect', async () => {
    await runSql(database.uri, 'analyze api.visit');
    const headers = { Prefer: 'count=planned' };
    const { headers: received } = await send('GET', '/visit?limit=1', { headers });
    const total = Number(String(received['content-range']).split('/')[1]);
    // Citus shows the plan of one shard.
    expect(total).toBeGreaterThanOrEqual(50);
    expect(total).toBeLessThanOrEqual(200);
  });

  test('keep a statement from running that costs the shards too much', async () => {
    const login = { uri: loginUri(database.uri), anon: 'web_anon' };
    const bounded = await startLocalServer(login, { 'db-max-cost': 10 });
    try {
      const refused = await send('GET', '/visit?order=page', { to: bounded });
      expect([refused.status, refused.rows]).toEqual([
        400,
        expect.objectContaining({ code: 'SVC130', details: expect.stringMatching(/^Estimated rows: [1-9]/u) }),
      ]);
    } finally {
      await bounded.stop();
    }
  });
});

test('live rows are refused', async () => {
  const login = { uri: loginUri(database.uri), anon: 'web_anon' };
  const live = await startLocalServer(login, { 'live-publication': 'rowhouse_live' });
  try {
    const { status, rows } = await send('GET', '/task', { to: live, headers: { Accept: 'text/event-stream' } });
    expect([status, rows]).toEqual([400, expect.objectContaining({ code: 'SVC127' })]);
  } finally {
    await live.stop();
  }
});

describe('embeds of rows that lie elsewhere', () => {
  test('are ordered and limited for each parent', async () => {
    const path =
      '/label?select=label_id,task(tenant_id,task_id)&label_id=lte.2&order=label_id&task.order=task_id.desc&task.limit=1';
    expect(await rowsOf('GET', path)).toEqual([
      { label_id: 1, task: [{ tenant_id: 5, task_id: 40 }] },
      { label_id: 2, task: [{ tenant_id: 5, task_id: 21 }] },
    ]);
    const next = `${path}&task.offset=1`;
    expect(await rowsOf('GET', next)).toEqual([
      { label_id: 1, task: [{ tenant_id: 5, task_id: 20 }] },
      { label_id: 2, task: [{ tenant_id: 5, task_id: 1 }] },
    ]);
  });

  test('embed rows of their own shard', async () => {
    const path = '/label?label_id=eq.2&select=task(task_id,comment(comment_id))&task.order=task_id';
    expect(await rowsOf('GET', path)).toEqual([
      {
        task: [
          { task_id: 1, comment: [] },
          { task_id: 21, comment: [{ comment_id: 20 }] },
        ],
      },
    ]);
  });

  test('show all columns, spread, count and filter', async () => {
    const [label] = (await rowsOf('GET', '/label?label_id=eq.2&select=task(*)&task.task_id=eq.1')) as [object];
    expect(label).toEqual({ task: [expect.objectContaining({ tenant_id: 5, task_id: 1, body: { k: 1 } })] });
    expect(await rowsOf('GET', '/label?label_id=eq.2&select=...task(task_id)&task.order=task_id')).toEqual([
      { task_id: [1, 21] },
    ]);
    expect(await rowsOf('GET', '/label?label_id=eq.2&select=task(count())')).toEqual([{ task: [{ count: 2 }] }]);
    const inner = '/label?select=label_id,task!inner(task_id)&task.task_id=in.(1,2)&order=label_id';
    expect(await rowsOf('GET', inner)).toEqual([
      { label_id: 2, task: [{ task_id: 1 }] },
      { label_id: 3, task: [{ task_id: 2 }] },
    ]);
    const without = '/label?select=label_id,task()&task.task_id=in.(1,2)&task=is.null&order=label_id&limit=2';
    expect(await rowsOf('GET', without)).toEqual([{ label_id: 1 }, { label_id: 4 }]);
    const { headers } = await send('GET', inner, { headers: { Prefer: 'count=exact' } });
    expect(headers['content-range']).toBe('0-1/2');
  });

  test('count nothing for a parent without rows', async () => {
    const path = '/label?label_id=lte.2&order=label_id&task.task_id=eq.1&select=label_id,task(count(),task_id.max())';
    const counted = [
      { label_id: 1, task: [{ count: 0, max: null }] },
      { label_id: 2, task: [{ count: 1, max: 1 }] },
    ];
    expect(await rowsOf('GET', path)).toEqual(counted);
    expect(await rowsOf('GET', path.replace('task(', 'task!inner('))).toEqual(counted);
    expect(await rowsOf('GET', `${path}&task=is.null`)).toEqual([]);
    expect(await rowsOf('GET', `${path}&task.offset=1`)).toEqual([
      { label_id: 1, task: [] },
      { label_id: 2, task: [] },
    ]);
  });

  test('refuse a negative limit', async () => {
    const { status, rows } = await send('GET', '/label?select=label_id,task(task_id)&task.limit=-1');
    expect([status, rows]).toEqual([400, expect.objectContaining({ code: '2201W' })]);
  });

  test('belong to rows of a function, also with the claim of the tenant', async () => {
    const path = '/rpc/tasks_of?tenant=5&limit=1&select=task_id,project(name),comment(text)';
    const rows = [{ task_id: 1, project: { name: 'Project 2' }, comment: [] }];
    expect(await rowsOf('GET', path)).toEqual(rows);
    expect(await rowsOf('GET', path, { to: strict })).toEqual(rows);
  });
});

test('required to-one embeds keep the names of their columns', async () => {
  const select = 'task_id,project!inner(name,tenant!inner(n:name)),label!inner(name)';
  expect(await rowsOf('GET', `/task?select=${select}&order=task_id&limit=1`)).toEqual([
    { task_id: 1, project: { name: 'Project 2', tenant: { n: 'Tenant 5' } }, label: { name: 'label 2' } },
  ]);
  expect(await rowsOf('GET', '/task?select=task_id,label!inner(name)&label.name=eq.label%203&order=task_id')).toEqual([
    { task_id: 2, label: { name: 'label 3' } },
    { task_id: 22, label: { name: 'label 3' } },
  ]);
});

test('a batch changes rows that each node has a copy of after reads of many shards', async () => {
  const rows = await rowsOf('POST', '/', {
    body: [
      { method: 'GET', path: '/label?label_id=eq.3&select=task(task_id)&task.order=task_id' },
      { method: 'PATCH', path: '/label?label_id=eq.3', body: { name: 'third' }, headers: { prefer: 'count=exact' } },
      { method: 'GET', path: '/task?label_id=eq.3&select=label(name)&limit=1' },
      { method: 'PATCH', path: '/label?label_id=eq.3', body: { name: 'label 3' } },
    ],
    headers: { 'Content-Type': 'application/vnd.svc.batch+json' },
  });
  expect(rows).toMatchObject([
    { body: [{ task: [{ task_id: 2 }, { task_id: 22 }] }] },
    { status: 204 },
    { body: [{ label: { name: 'third' } }] },
    { status: 204 },
  ]);
});

describe('a write that returns embeds', () => {
  test('PATCH, POST and PUT', async () => {
    const patched = await rowsOf('PATCH', '/task?task_id=eq.21&select=task_id,points,comment(comment_id),label(name)', {
      body: { points: 50 },
      headers: REPRESENTATION,
    });
    expect(patched).toEqual([{ task_id: 21, points: 50, comment: [{ comment_id: 20 }], label: { name: 'label 2' } }]);
    const inserted = await send('POST', '/project?select=tenant_id,project_id,tenant(name)', {
      body: [
        { tenant_id: 7, project_id: 90, name: 'seven' },
        { tenant_id: 5, project_id: 90, name: 'five' },
      ],
      headers: REPRESENTATION,
    });
    expect([inserted.status, inserted.rows]).toEqual([
      201,
      expect.arrayContaining([
        { tenant_id: 7, project_id: 90, tenant: { name: 'Tenant 7' } },
        { tenant_id: 5, project_id: 90, tenant: { name: 'Tenant 5' } },
      ]),
    ]);
    const put = await send('PUT', '/project?tenant_id=eq.5&project_id=eq.90&select=name,tenant(name)', {
      body: { tenant_id: 5, project_id: 90, name: 'put' },
      headers: REPRESENTATION,
    });
    expect([put.status, put.rows]).toEqual([200, [{ name: 'put', tenant: { name: 'Tenant 5' } }]]);
    await runSql(database.uri, 'delete from api.project where project_id = 90');
  });

  test('keeps nothing that a check refuses', async () => {
    const { status } = await send('PATCH', '/task?task_id=lte.3&select=task_id,comment(text)', {
      body: { points: 77 },
      headers: { Prefer: 'return=representation,handling=strict,max-affected=2' },
    });
    expect(status).toBe(400);
    expect(await rowsOf('GET', '/task?points=eq.77')).toEqual([]);
  });

  test('DELETE shows the rows as they were', async () => {
    const path = '/task?task_id=in.(38,39)&select=task_id,comment(text),label(name)&order=task_id';
    const { status, rows } = await send('DELETE', path, { headers: { ...REPRESENTATION }, to: strict });
    expect([status, rows]).toEqual([
      200,
      [
        { task_id: 38, comment: [], label: { name: 'label 19' } },
        { task_id: 39, comment: [], label: { name: 'label 20' } },
      ],
    ]);
    expect(await rowsOf('GET', '/task?task_id=in.(38,39)')).toEqual([]);
    expect(await rowsOf('GET', '/task?task_id=in.(38,39)&select=task_id', { claims: { tenant_id: 6 } })).toHaveLength(
      2,
    );
    const refused = await send('DELETE', '/task?task_id=in.(35,36,37)&select=task_id,label(name)', {
      headers: { Prefer: 'return=representation,handling=strict,max-affected=2' },
    });
    expect(refused.status).toBe(400);
    expect(await rowsOf('GET', '/task?task_id=lte.3&select=task_id')).toHaveLength(3);
  });

  test('with related rows in its body', async () => {
    const rows = await rowsOf('POST', '/project?select=project_id,task(task_id,title)', {
      body: { tenant_id: 5, project_id: 91, name: 'nested', task: [{ task_id: 900, title: 'new' }] },
      headers: { Prefer: 'nested=write,return=representation' },
    });
    expect(rows).toEqual([{ project_id: 91, task: [{ task_id: 900, title: 'new' }] }]);
    await runSql(
      database.uri,
      'delete from api.task where task_id = 900; delete from api.project where project_id = 91',
    );
  });
});

describe('a write of one row', () => {
  const VALUES = {
    tenant_id: 5,
    task_id: 9_007_199_254_740_993n,
    project_id: 1,
    title: `it's "quoted" \\ é`,
    done: true,
    points: null,
    body: { a: [1, null, "it's"] },
    created_at: '2024-01-02T03:04:05.678+00:00',
  };
  const json = (value: object): string =>
    JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member));

  test('stores the values of the body, and shows them', async () => {
    const inserted = await rowsOf('POST', '/task?select=task_id::text,title,done,points,body,created_at', {
      body: JSON.parse(json(VALUES)),
      headers: REPRESENTATION,
    });
    const { tenant_id: _tenant, project_id: _project, ...shown } = VALUES;
    expect(inserted).toEqual([JSON.parse(json({ ...shown, task_id: '9007199254740993' }))]);
    const shownAs = await rowsOf('PATCH', '/task?tenant_id=eq.5&title=like.it*&select=title,b:body,points,done', {
      body: { body: null, points: '12', done: 'false', title: 'changed' },
      headers: REPRESENTATION,
    });
    expect(shownAs).toEqual([{ title: 'changed', b: null, points: 12, done: false }]);
    const whole = await rowsOf('PATCH', '/task?tenant_id=eq.5&title=eq.changed', {
      body: { tags: ['x', 'y'], body: 'text' },
      headers: REPRESENTATION,
    });
    expect(whole).toEqual([expect.objectContaining({ tags: ['x', 'y'], body: 'text', points: 12 })]);
    expect((await send('DELETE', '/task?tenant_id=eq.5&title=eq.changed')).status).toBe(204);
  });

  test('has columns of any name, whatever the settings of strings', async () => {
    const row = { tenant_id: 70, 'it\'s "odd"': "\\'" };
    const path = `/paper?select=tenant_id,${encodeURIComponent('"it\'s \\"odd\\""')}`;
    expect(await rowsOf('POST', path, { body: row, headers: REPRESENTATION })).toEqual([row]);
  });

  test('spells a string of type json again, as PostgreSQL does', async () => {
    const path = '/paper?select=tenant_id,doc';
    const post = (text: string): RequestParts => ({
      method: 'POST',
      headers: { ...bearer({ role: 'app_user' }), 'Content-Type': 'application/json', ...REPRESENTATION },
      body: text,
    });
    const texts = [];
    for (const doc of [String.raw`"\u00e9\/\ud83d\ude00"`, String.raw`{"a": "\u00e9",  "b":null}`, 'null'])
      texts.push((await server.get(path, post(`{"tenant_id": ${60 + texts.length}, "doc": ${doc}}`))).text);
    expect(texts).toEqual([
      '[{"tenant_id":60,"doc":"é/\u{1F600}"}]',
      String.raw`[{"tenant_id":61,"doc":{"a": "\u00e9",  "b":null}}]`,
      '[{"tenant_id":62,"doc":null}]',
    ]);
  });

  test.each([
    ['POST', '/note', { tenant_id: 5, n: 'many' }, '22P02'],
    ['PATCH', '/task?tenant_id=eq.5&task_id=eq.2', { points: 1.5 }, '22P02'],
    ['POST', '/counter', { tenant_id: 5, n: 1 }, '23505'],
    ['POST', '/counter', { tenant_id: 50, n: null }, '23502'],
    ['PATCH', '/task?tenant_id=eq.5&task_id=eq.2', { title: '' }, '23514'],
  ])('%s %s refuses %j', async (method, path, body, code) => {
    const { status, rows } = await send(method, path, { body });
    expect([status >= 400, rows]).toEqual([true, expect.objectContaining({ code })]);
  });

  test('counts the rows that it changes', async () => {
    const changed = await send('PATCH', '/counter?tenant_id=eq.5', {
      body: { n: 1 },
      headers: { Prefer: 'count=exact' },
    });
    expect([changed.status, changed.headers['content-range']]).toEqual([204, '0-0/1']);
    const none = await send('PATCH', '/counter?tenant_id=eq.99', {
      body: { n: 1 },
      headers: { Prefer: 'count=exact' },
    });
    expect([none.status, none.headers['content-range']]).toEqual([204, '*/0']);
    const shown = await send('PATCH', '/counter?tenant_id=eq.99', { body: { n: 1 }, headers: REPRESENTATION });
    expect([shown.status, shown.rows]).toEqual([200, []]);
    const strictly = { Prefer: 'handling=strict,max-affected=1' };
    expect((await send('PATCH', '/counter?n=eq.0', { body: { n: 2 }, headers: strictly })).status).toBe(400);
    expect(await rowsOf('GET', '/counter?n=eq.2')).toEqual([]);
  });

  test('happens once while columns change their types', async () => {
    const insert = (): Promise<Reply> =>
      send('POST', '/note', { body: { tenant_id: 5, body: 'typed', n: 1 }, headers: REPRESENTATION });
    expect((await insert()).status).toBe(201);
    await runSql(database.uri, 'alter table api.note alter column body type text[] using array[body]');
    const refused = await insert();
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await runSql(database.uri, 'alter table api.note alter column body type text using body[1]');
    expect((await insert()).status).toBe(201);
    expect(await rowsOf('GET', '/note?select=body')).toEqual([{ body: 'typed' }, { body: 'typed' }]);
  });
});
