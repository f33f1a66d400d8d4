// Requests to distributed tables, over all shards and to the rows of one tenant.
import { describe, expect, test } from 'vitest';
import { type RequestParts, startLocalServer } from '../support/local-server.ts';
import { createTenants, loginUri } from './citus-database.ts';
import { use } from '../support/use.ts';

const database = await use(createTenants());
const server = await use(startLocalServer({ uri: loginUri(database.uri), anon: 'web_anon' }));

async function read(path: string, accept = 'application/json'): Promise<string> {
  const { status, text } = await server.get(path, { headers: { Accept: accept } });
  expect({ status, text }).toEqual({ status: 200, text: expect.anything() });
  return text;
}

async function readRows(path: string): Promise<unknown> {
  return JSON.parse(await read(path));
}

function write(method: string, body?: unknown, prefer = 'return=representation'): RequestParts {
  const headers = { 'Content-Type': 'application/json', Prefer: prefer };
  return { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

/** The 40 tasks of all 20 tenants, by descending tenant. */
const TASKS = Array.from({ length: 20 }, (_, index) => 20 - index).flatMap((tenant_id) =>
  Array.from({ length: 40 }, (_, index) => ({ tenant_id, task_id: index + 1 })),
);
const ORDERED_TASKS = '/task?select=tenant_id,task_id&order=tenant_id.desc,task_id';

describe('a list over all shards keeps its order', () => {
  test('as an array', async () => {
    expect(await readRows(ORDERED_TASKS)).toEqual(TASKS);
  });

  test('as lines', async () => {
    const lines = (await read(ORDERED_TASKS, 'application/x-ndjson')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(TASKS);
  });

  test('as CSV', async () => {
    const [head, ...rows] = (await read(ORDERED_TASKS, 'text/csv')).trimEnd().split('\n');
    expect(head).toBe('tenant_id,task_id');
    expect(rows).toEqual(TASKS.map(({ tenant_id, task_id }) => `${tenant_id},${task_id}`));
  });

  test('with ordered embeds of co-located tables', async () => {
    const select = 'tenant_id,project(project_id,task(task_id))';
    const order = 'order=tenant_id.desc&project.order=project_id.desc&project.task.order=task_id.desc';
    const projects = [5, 4, 3, 2, 1].map((project_id) => ({
      project_id,
      task: TASKS.slice(0, 40)
        .toReversed()
        .filter(({ task_id }) => 1 + (task_id % 5) === project_id)
        .map(({ task_id }) => ({ task_id })),
    }));
    expect(await readRows(`/tenant?select=${select}&${order}`)).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ tenant_id: 20 - index, project: projects })),
    );
  });
});

test('the views of Citus in the schema public are no routes', async () => {
  const ofPublic = await startLocalServer(
    { uri: loginUri(database.uri), anon: 'web_anon' },
    { 'db-schemas': 'public' },
  );
  const { status } = await ofPublic.get('/citus_tables');
  const { paths } = (await ofPublic.json('/')) as { readonly paths: object };
  await ofPublic.stop();
  expect({ status, paths: Object.keys(paths) }).toEqual({ status: 404, paths: ['/'] });
});

describe('the rows of a tenant', () => {
  test('embed rows of co-located and reference tables', async () => {
    const select = 'task_id,project(name),label(name),comment(comment_id)';
    expect(await readRows(`/task?tenant_id=eq.3&order=task_id&limit=2&select=${select}`)).toEqual([
      { task_id: 1, project: { name: 'Project 2' }, label: { name: 'label 2' }, comment: [] },
      { task_id: 2, project: { name: 'Project 3' }, label: { name: 'label 3' }, comment: [{ comment_id: 1 }] },
    ]);
  });

  test('are counted', async () => {
    const { headers } = await server.get('/task?tenant_id=eq.3&limit=2', { headers: { Prefer: 'count=exact' } });
    expect(headers['content-range']).toBe('0-1/40');
  });

  test('come from a function in PL/pgSQL', async () => {
    expect(await readRows('/rpc/tasks_of?tenant=3&limit=2&select=tenant_id,task_id')).toEqual([
      { tenant_id: 3, task_id: 1 },
      { tenant_id: 3, task_id: 2 },
    ]);
  });
});

describe('a write', () => {
  const send = async (
    path: string,
    parts: RequestParts,
  ): Promise<{ readonly status: number; readonly rows: unknown }> => {
    const { status, text } = await server.get(path, parts);
    return { status, rows: text === '' ? undefined : JSON.parse(text) };
  };
  const countersOf = (tenants: string): Promise<unknown> =>
    readRows(`/counter?tenant_id=in.(${tenants})&order=tenant_id`);

  test('PATCH changes the rows of one tenant', async () => {
    const path = '/task?tenant_id=eq.5&task_id=lte.2&select=task_id,points&order=task_id';
    expect(await send(path, write('PATCH', { points: 99 }))).toEqual({
      status: 200,
      rows: [
        { task_id: 1, points: 99 },
        { task_id: 2, points: 99 },
      ],
    });
    expect(await readRows('/task?points=eq.99&select=tenant_id,task_id&order=task_id')).toEqual([
      { tenant_id: 5, task_id: 1 },
      { tenant_id: 5, task_id: 2 },
    ]);
  });

  test('PATCH changes the rows of all tenants', async () => {
    expect(await send('/label?label_id=eq.1', write('PATCH', { name: 'first' }))).toEqual({
      status: 200,
      rows: [{ label_id: 1, name: 'first' }],
    });
    const { status, headers } = await server.get(
      '/project?project_id=eq.5',
      write('PATCH', { name: 'Last' }, 'count=exact'),
    );
    expect([status, headers['content-range']]).toEqual([204, '0-19/20']);
    expect(await readRows('/project?name=eq.Last&select=tenant_id&order=tenant_id')).toHaveLength(20);
  });

  test('PATCH with one change for each row', async () => {
    const body = [
      { tenant_id: 2, n: 20 },
      { tenant_id: 1, n: 10 },
    ];
    expect(await send('/counter?match=tenant_id', write('PATCH', body))).toEqual({ status: 200, rows: body });
    expect(await countersOf('1,2,3')).toEqual([
      { tenant_id: 1, n: 10 },
      { tenant_id: 2, n: 20 },
      { tenant_id: 3, n: 0 },
    ]);
  });

  test('POST inserts rows of one and of several tenants', async () => {
    expect(await send('/counter', write('POST', { tenant_id: 31, n: 1 }))).toEqual({
      status: 201,
      rows: [{ tenant_id: 31, n: 1 }],
    });
    const several = [32, 33, 34].map((tenant_id) => ({ tenant_id, n: 2 }));
    expect(await send('/counter?order=tenant_id', write('POST', several))).toEqual({ status: 201, rows: several });
    expect(await countersOf('31,32,33,34')).toEqual([{ tenant_id: 31, n: 1 }, ...several]);
  });

  test('POST fills in columns that count', async () => {
    const { status, rows } = await send(
      '/note?select=tenant_id,id,body',
      write('POST', { tenant_id: 1, body: 'first' }),
    );
    expect({ status, rows }).toEqual({ status: 201, rows: [{ tenant_id: 1, id: expect.any(Number), body: 'first' }] });
  });

  test('DELETE removes rows of one and of several tenants', async () => {
    const path = '/comment?comment_id=lte.2&select=tenant_id,comment_id&order=tenant_id,comment_id';
    expect(await send(`${path}&tenant_id=eq.7`, write('DELETE'))).toEqual({
      status: 200,
      rows: [
        { tenant_id: 7, comment_id: 1 },
        { tenant_id: 7, comment_id: 2 },
      ],
    });
    const { rows } = await send(path, write('DELETE'));
    expect(rows).toHaveLength(38);
    expect(await readRows('/comment?comment_id=lte.3&select=comment_id')).toEqual(
      Array.from({ length: 20 }, () => ({ comment_id: 3 })),
    );
  });
});
