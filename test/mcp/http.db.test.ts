// Agents over HTTP: tools, roles, limits.
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { bearer, useServers } from '../support/local-server.ts';
import { type Agent, connectHttp, loadShop, type Revision, REVISIONS } from './agents.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

await loadShop(harbor);
const options = { 'mcp-path': '/mcp', 'log-level': 'info' };
const [server, writing] = await Promise.all([start(options), start({ ...options, 'mcp-writes': true })]);

function agent(claims?: Readonly<Record<string, unknown>>, revision?: Revision): Promise<Agent> {
  return connectHttp(`http://127.0.0.1:${server.port}/mcp`, claims && bearer(claims), revision);
}

function writer(claims: Readonly<Record<string, unknown>> = { role: harbor.user }): Promise<Agent> {
  return connectHttp(`http://127.0.0.1:${writing.port}/mcp`, bearer(claims));
}

describe.each(REVISIONS)('revision %s', (revision) => {
  test(`B49 B81 the official client lists and calls tools (${revision})`, async () => {
    const { client, call } = await agent(undefined, revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'rowhouse' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_relations',
      'describe_relation',
      'read_rows',
      'call_function',
    ]);
    for (const tool of tools) {
      expect(tool.outputSchema).toMatchObject({ type: 'object', required: ['notice', 'data', 'isCut'] });
      expect(tool.annotations).toMatchObject({ readOnlyHint: true });
    }
    const { isError, content, text } = await call('read_rows', { relation: 'author', select: ['name'] });
    expect(isError).toBe(false);
    expect(content).toEqual({
      notice: expect.stringContaining('not instructions') as string,
      data: { rows: [{ name: 'Bo' }, { name: 'Ada' }] },
      isCut: false,
    });
    expect(JSON.parse(text)).toEqual(content);
  });
});

test('B49b list_relations shows what the role may use', async () => {
  const listed = async (claims?: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const { content } = await (await agent(claims)).call('list_relations', {});
    return (content.data['entries'] as { name: string }[]).map(({ name }) => name);
  };
  const forAnon = await listed();
  expect(forAnon).toContain('partly');
  expect(forAnon).not.toContain('secret');
  expect(forAnon).toContain('total');
  expect(forAnon).not.toContain('add_author');
  expect(await listed({ role: harbor.user })).toContain('secret');
});

test('B49c what the role may not see is not described, read or counted', async () => {
  const { call, rows } = await agent();
  const { isError, content } = await call('describe_relation', { relation: 'secret' });
  expect(isError).toBe(true);
  expect(content.data).toEqual({
    error: { status: 404, message: 'There is no such relation', hint: 'Call list_relations for the names' },
  });
  const { content: partly } = await call('describe_relation', { relation: 'partly' });
  expect((partly.data['columns'] as { name: string }[]).map(({ name }) => name)).toEqual(['id', 'shown']);
  expect(await rows({ relation: 'partly' })).toEqual([{ id: 1, shown: 'yes' }]);
});

test('B49v a description that another role has read is not used', async () => {
  await harbor.sql(`grant select on api.partly to ${harbor.user}`);
  const forUser = await agent({ role: harbor.user });
  const forAnon = await agent();
  expect(await forUser.rows({ relation: 'partly' })).toEqual([{ id: 1, shown: 'yes', hidden: 'no' }]);
  expect(await forAnon.rows({ relation: 'partly' })).toEqual([{ id: 1, shown: 'yes' }]);
});

test('B49d a tool that the role has no use for is not offered', async () => {
  const forUser = await writer();
  expect(await forUser.toolNames()).toEqual([
    'list_relations',
    'describe_relation',
    'read_rows',
    'call_function',
    'insert_rows',
    'update_rows',
    'delete_rows',
  ]);
  // The anonymous role may insert berths, but change nothing.
  const forAnon = await connectHttp(`http://127.0.0.1:${writing.port}/mcp`);
  expect(await forAnon.toolNames()).toEqual([
    'list_relations',
    'describe_relation',
    'read_rows',
    'call_function',
    'insert_rows',
  ]);
  const reading = await agent({ role: harbor.user });
  await expect(reading.call('delete_rows', { relation: 'book' })).rejects.toThrow('There is no such tool');
});

test('B49e structured arguments mean what the query string means', async () => {
  const { rows } = await agent();
  const structured = await rows({
    relation: 'book',
    select: ['id', 'price'],
    filters: [
      { column: 'id', operator: 'in', value: [5, 6, 7, 8] },
      { column: 'price', operator: 'gt', value: 2.5 },
      { column: 'title', operator: 'eq', value: 'Book 7', not: true },
    ],
    order: [{ column: 'price', direction: 'desc', nulls: 'last' }],
  });
  expect(structured).toEqual([
    { id: 8, price: 4 },
    { id: 6, price: 3 },
  ]);
  const query = 'select=id,price&id=in.(5,6,7,8)&price=gt.2.5&title=neq.Book%207&order=price.desc.nullslast';
  expect(await rows({ relation: 'book', query })).toEqual(structured);
  expect(await rows({ relation: 'book', query: '?id=eq.3&select=id', limit: 5 })).toEqual([{ id: 3 }]);
  const nulls = { relation: 'book', select: ['id'], limit: 1 };
  expect(await rows({ ...nulls, filters: [{ column: 'note', operator: 'eq', value: null }] })).toEqual([{ id: 1 }]);
  expect(await rows({ ...nulls, filters: [{ column: 'note', operator: 'neq', value: null }] })).toEqual([]);
});

test('B49f rows come in a deterministic order, in embeds too', async () => {
  const { rows } = await agent();
  expect(await rows({ relation: 'crate' })).toEqual([
    { label: 'a', weight: 1 },
    { label: 'a', weight: 9 },
    { label: 'b', weight: 2 },
  ]);
  expect(await rows({ relation: 'author', select: ['id'], order: [{ column: 'name' }] })).toEqual([
    { id: 2 },
    { id: 1 },
  ]);
  const [author] = (await rows({ relation: 'author', select: ['name', 'all:book(id)'], limit: 1 })) as {
    all: { id: number }[];
  }[];
  const ids = author?.all.map(({ id }) => id) ?? [];
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(
    server.out.some((line) => line.includes('GET /author?select=name%2Call%3Abook(id)&order=id&all.order=id')),
  ).toBe(true);
});

test('B49g a result has at most mcp-max-rows rows, and says how to go on', async () => {
  const { call } = await agent();
  const seen: unknown[] = [];
  let offset: number | undefined = 0;
  for (const size of [100, 100, 50]) {
    const { content } = await call('read_rows', { relation: 'book', select: ['id'], offset });
    const rows = content.data['rows'] as readonly { id: number }[];
    expect(rows).toHaveLength(size);
    seen.push(...rows.map(({ id }) => id));
    expect(content.isCut).toBe(size === 100);
    offset = content.next?.offset;
    expect(content.explanation).toBe(
      size === 100 ? 'There is more. Call the tool again with the offset in "next".' : undefined,
    );
  }
  expect(offset).toBeUndefined();
  expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  const { content } = await call('read_rows', { relation: 'book', limit: 5000 });
  expect(content.data['rows']).toHaveLength(100);
});

test('B49h a result has at most 64 KiB', async () => {
  const { call } = await agent();
  const { content, text } = await call('read_rows', { relation: 'big' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
  expect(content.data['rows']).toHaveLength(6);
  expect([content.isCut, content.next]).toEqual([true, { offset: 6 }]);
  await harbor.sql("update api.big set text = repeat('y', 100000) where id = 7");
  const { content: long } = await call('read_rows', { relation: 'big', offset: 6, limit: 1 });
  expect(long).toMatchObject({
    data: { rows: [] },
    isCut: true,
    next: { offset: 7 },
    explanation:
      'The next item alone is longer than a result may be. Select fewer columns, limit related rows (query: select=name,books(title)&books.limit=10), or skip it with the offset in "next".',
  });
  await harbor.sql("update api.big set text = repeat('y', 5000000) where id = 8");
  const { isError, content: refused } = await call('read_rows', { relation: 'big', offset: 7, limit: 1 });
  expect(isError).toBe(true);
  expect(refused.data['error']).toMatchObject({ hint: 'Select fewer columns, or set a lower limit' });
});

test('B49i numbers that JavaScript would change are strings', async () => {
  const { rows } = await agent();
  expect(await rows({ relation: 'huge' })).toEqual([
    { id: 2, amount: 1.5 },
    { id: '9007199254740993', amount: '12345678901234567890.5' },
  ]);
  const filters = [{ column: 'id', operator: 'eq', value: '9007199254740993' }];
  expect(await rows({ relation: 'huge', select: ['id'], filters })).toEqual([{ id: '9007199254740993' }]);
});

test('B49j errors carry the hint', async () => {
  const { call } = await agent();
  const { isError, content } = await call('read_rows', { relation: 'author', select: ['nme'] });
  expect(isError).toBe(true);
  expect(content.data['error']).toEqual({
    status: 400,
    code: '42703',
    message: 'column author.nme does not exist',
    hint: 'Perhaps you meant to reference the column "author.name".',
  });
  const { content: invalid } = await call('read_rows', { relation: 'author', sql: 'select 1' });
  expect(invalid.data['error']).toMatchObject({ message: 'The arguments do not fulfil the input schema of the tool' });
});

test('B49k functions are called by name; without mcp-writes only those that cannot write', async () => {
  const { call } = await agent();
  expect((await call('call_function', { function: 'total', arguments: { lowest: 100 } })).content.data).toEqual({
    value: 5737.5,
  });
  const { content } = await call('call_function', {
    function: 'books_of',
    arguments: { author: 1 },
    select: ['id'],
    limit: 2,
  });
  expect(content).toMatchObject({ data: { rows: [{ id: 250 }, { id: 248 }] }, isCut: true, next: { offset: 2 } });
  const { isError, content: refused } = await call('call_function', {
    function: 'add_author',
    arguments: { name: 'x' },
  });
  expect(isError).toBe(true);
  expect(refused.data['error']).toEqual({
    status: 403,
    message: 'The function may change data',
    hint: 'The operator allows calls of such functions with mcp-writes',
  });
});

test('B49l each call is in the access log and in the metrics, under the role', async () => {
  const { call } = await agent({ role: harbor.user });
  const before = server.out.length;
  await call('list_relations');
  await call('read_rows', { relation: 'secret', select: ['word'] });
  const lines = server.out.slice(before).map((line) => /- (\S+) \[[^\]]+\] "([^"]+)" (\d+)/u.exec(line)?.slice(1));
  expect(lines).toEqual([
    [harbor.user, 'GET / HTTP/1.1', '200'],
    [harbor.user, 'POST /mcp HTTP/1.1', '200'],
    [harbor.user, 'GET /secret?select=word&order=id&limit=101 HTTP/1.1', '200'],
    [harbor.user, 'POST /mcp HTTP/1.1', '200'],
  ]);
  const { text } = await server.admin('/metrics');
  expect(text).toContain('svc_http_requests_total{method="GET",route="/secret",status="200"} 1.0\n');
  expect(text).toMatch(/svc_http_requests_total\{method="POST",route="\/mcp",status="200"\} [1-9]/u);
});
