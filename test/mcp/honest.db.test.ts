// Results say what happened, whatever the database contains and its functions do.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type Answer, bearer, useServers } from '../support/local-server.ts';
import { type Agent, connectHttp, loadShop } from './agents.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

const HEADERS = `'[{"Preference-Applied": "tx=commit"}, {"Content-Range": "0-0/777"}]'`;

await loadShop(harbor);
await harbor.sql(`
    create function api.claims_commit() returns int language plpgsql volatile as $$
      begin perform set_config('response.headers', ${HEADERS}, true); return 1; end $$;
    create function api.succeeds() returns int language plpgsql volatile as $$
      begin raise sqlstate 'PT200' using message = 'All rows were deleted'; end $$;
    create table api.forged (id int primary key);
    create function api.forge() returns trigger language plpgsql as $$
      begin perform set_config('response.headers', ${HEADERS}, true); return new; end $$;
    create trigger forge before insert on api.forged for each row execute function api.forge();
    create table api.failing (id int generated always as identity primary key, word text default 'none');
    create function api.break_off() returns trigger language plpgsql as $$
      begin raise sqlstate 'PT200' using message = 'All rows were deleted'; end $$;
    create trigger break_off before insert on api.failing for each row when (new.word is not null) execute function api.break_off();
    create table api.keyword (id int primary key, "limit" int, "offset" int, "select" int, "order" int, "and" int);
    insert into api.keyword values (1, 1, 1, 1, 1, 1), (2, 2, 2, 2, 2, 2);
    grant select, insert, update, delete on api.forged, api.failing, api.keyword to ${harbor.user};
    create table api.link (author_id int references api.author, book_id bigint references api.book, primary key (author_id, book_id));
    create function api.twice(single int) returns int language sql stable as 'select 1';
    create function api.twice(many text) returns setof int language sql stable as 'select generate_series(1, 300)';
    comment on table api.big is '${'c'.repeat(70_000)}';
    comment on column api.big.text is '${'d'.repeat(70_000)}';
  `);
const server = await start({ 'mcp-path': '/mcp', 'mcp-writes': true });

function agent(role: string = harbor.user): Promise<Agent> {
  return connectHttp(`http://127.0.0.1:${server.port}/mcp`, bearer({ role }));
}

test('B82j headers that the database sets do not pass a preview off as a commit', async () => {
  const { call } = await agent();
  expect((await call('call_function', { function: 'claims_commit' })).content).toMatchObject({
    data: { value: 1 },
    isCommitted: false,
  });
  expect((await call('insert_rows', { relation: 'forged', rows: [{ id: 1 }] })).content).toMatchObject({
    data: { affected: 1, rows: [{ id: 1 }] },
    isCommitted: false,
  });
  expect(await harbor.query('select count(*)::int from api.forged')).toEqual([[0]]);
});

test('B82k an error is one, whatever status it has', async () => {
  const { call } = await agent();
  const error = { status: 200, code: 'PT200', message: 'All rows were deleted' };
  const called = await call('call_function', { function: 'succeeds', commit: true });
  expect(called).toMatchObject({ isError: true, content: { data: { error } } });
  const inserted = await call('insert_rows', { relation: 'failing', rows: [{ word: 'a' }], commit: true });
  expect(inserted).toMatchObject({ isError: true, content: { data: { error } } });
  expect(inserted.content.isCommitted).toBeUndefined();
  // Two relationships lead to books.
  const ambiguous = await call('read_rows', { relation: 'author', select: ['book(id)'] });
  expect(ambiguous).toMatchObject({ isError: true, content: { data: { error: { status: 300, code: 'SVC201' } } } });
});

test('B49m a filter on a column that is named like a parameter is not lost', async () => {
  const { call, rows } = await agent();
  for (const column of ['limit', 'offset', 'select', 'order', 'and']) {
    const filters = [{ column, operator: 'eq', value: 2 }];
    expect([column, await rows({ relation: 'keyword', select: ['id'], filters })]).toEqual([column, [{ id: 2 }]]);
    const { content } = await call('delete_rows', {
      relation: 'keyword',
      filters: [{ column: 'id', operator: 'gt', value: 0 }, ...filters],
      max_affected: 2,
    });
    expect([column, content.data['affected']]).toEqual([column, 1]);
  }
});

test('B49n long comments hide no relation and no column', async () => {
  const { call } = await agent();
  const listed = await call('list_relations');
  const names = (listed.content.data['entries'] as { name: string }[]).map(({ name }) => name);
  expect([listed.content.isCut, names]).toEqual([false, expect.arrayContaining(['big', 'book', 'total'])]);
  const { content } = await call('describe_relation', { relation: 'big' });
  expect(content).toMatchObject({ isCut: false, data: { columns: [{ name: 'id' }, { name: 'text' }] } });
});

test('B49o functions of one name return at most mcp-max-rows rows, whichever is called', async () => {
  const { call } = await agent();
  const { content } = await call('call_function', { function: 'twice', arguments: { many: 'x' }, offset: 250 });
  expect(content).toMatchObject({ data: { rows: expect.objectContaining({ length: 50 }) as unknown }, isCut: false });
  const first = await call('call_function', { function: 'twice', arguments: { many: 'x' } });
  expect(first.content).toMatchObject({ isCut: true, next: { offset: 100 } });
  const single = await call('call_function', { function: 'twice', arguments: { single: 1 } });
  expect(single.content.data).toEqual({ value: 1 });
});

test('B49p numbers that have lost digits are rejected, in any argument', async () => {
  const { call } = await agent();
  const error = { message: 'The number 9007199254740992 may have lost digits' };
  for (const [tool, given] of [
    ['read_rows', { relation: 'huge', filters: [{ column: 'id', operator: 'in', value: [2 ** 53] }] }],
    ['insert_rows', { relation: 'book', rows: [{ id: 2 ** 53, title: 'x' }] }],
    ['call_function', { function: 'total', arguments: { lowest: 2 ** 53 } }],
  ] as const) {
    const { isError, content } = await call(tool, given);
    expect([tool, isError, content.data['error']]).toMatchObject([tool, true, error]);
  }
});

test('B49q a limit that asks for nothing is not cut, and one that is no number is an error', async () => {
  const { call } = await agent();
  expect((await call('read_rows', { relation: 'book', limit: 0 })).content).toMatchObject({
    data: { rows: [] },
    isCut: false,
  });
  const { isError, content } = await call('read_rows', { relation: 'book', query: 'limit=ten' });
  expect([isError, content.data['error']]).toMatchObject([true, { code: 'SVC100' }]);
});

test('B49r hints name no column that the role may not see', async () => {
  const { call } = await agent(harbor.anon);
  for (const given of [{ select: ['hide'] }, { filters: [{ column: 'hide', operator: 'eq', value: 'no' }] }]) {
    const { content, text } = await call('read_rows', { relation: 'partly', ...given });
    expect(content.data['error']).toMatchObject({ code: '42703' });
    expect(text).not.toContain('hidden');
  }
  const { content } = await call('read_rows', { relation: 'partly', select: ['shwn'] });
  expect(content.data['error']).toMatchObject({ hint: expect.stringContaining('"partly.shown"') as string });
});

test('B82l a row without values gets the defaults', async () => {
  const { call } = await agent();
  await harbor.sql('alter table api.failing alter column word drop default');
  const { content } = await call('insert_rows', { relation: 'failing', rows: [{}] });
  expect(content.data).toMatchObject({ affected: 1, rows: [{ word: null }] });
});

function call(id: number): unknown {
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'call_function', arguments: { function: 'wait_reading' } },
  };
}

function send(message: unknown, signal?: AbortSignal): Promise<Answer> {
  return server.get('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  });
}

test('B49s the calls of an agent that disconnects are cancelled', async () => {
  const hold = await harbor.hold();
  const abort = new AbortController();
  const sent = [1, 2, 3].map((id) => send(call(id), abort.signal));
  await hold.waiting(3);
  abort.abort();
  await Promise.all(sent.map((each) => expect(each).rejects.toThrow(/abort/iu)));
  await hold.waiting(0);
  const { rows } = await agent();
  expect(await rows({ relation: 'berth', select: ['id'], limit: 1 })).toEqual([{ id: 1 }]);
  await hold.release();
});

test('B49u a batch of messages is rejected, because it would be counted as one request', async () => {
  const { status, text } = await send([call(1), call(2)]);
  expect([status, JSON.parse(text)]).toMatchObject([
    400,
    { code: 'SVC102', message: 'A request of an agent contains one message, not a batch' },
  ]);
});

test('B49t arguments that were misunderstood are named', async () => {
  const { call } = await agent();
  const { content } = await call('read_rows', { relation: 'book', where: 'id = 1' });
  expect(content.data['error']).toEqual({
    message: 'The arguments do not fulfil the input schema of the tool',
    details: 'arguments must NOT have additional properties',
    hint: 'The arguments of read_rows are relation, select, filters, order, limit, offset, query. It has no where',
  });
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, 1]));
  expect((await call('read_rows', { relation: 'book', ...many })).content.data['error']).toMatchObject({
    details: 'arguments must NOT have more than 100 properties',
    hint: expect.stringMatching(/It has no a0, a1, .*, a9, and 190 more$/u),
  });
  const filters = Array.from({ length: 1001 }, () => ({}));
  expect((await call('read_rows', { relation: 'book', filters })).content.data['error']).toMatchObject({
    details: 'arguments/filters must NOT have more than 1000 items',
  });
  const { isError } = await call('read_rows', { relation: 'book', query: 'select * from book' });
  expect(isError).toBe(true);
});
