// Tools that write: previews, filters, upper bounds.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type LocalServer, type Options, useServers } from '../support/local-server.ts';
import { type Agent, connectHttp, loadShop } from './agents.ts';

const harbor = await useHarbor();
const start = useServers(harbor);
const OPTIONS: Options = { 'mcp-path': '/mcp', 'mcp-writes': true };

await loadShop(harbor);
await harbor.sql(`
    create table api.log (id int generated always as identity primary key, word text default 'none', secret text);
    grant insert (word, secret), update (word) on api.log to ${harbor.user};
    grant select (id, word) on api.log to ${harbor.user};
    create table api.blind (word text);
    grant insert on api.blind to ${harbor.user};
  `);
const server = await start(OPTIONS);

function writer({ port }: LocalServer = server): Promise<Agent> {
  return connectHttp(`http://127.0.0.1:${port}/mcp`, bearer({ role: harbor.user }));
}

const PREVIEW = 'This is a preview: the change was rolled back. Pass "commit": true to keep it.';
const FIRST = { column: 'id', operator: 'eq', value: 1 };

test('B82 a write without commit shows its effect and is rolled back', async () => {
  const { call } = await writer();
  const rows = [{ id: 7, name: 'Cy' }];
  const inserted = await call('insert_rows', { relation: 'author', rows });
  expect(inserted.content).toMatchObject({
    data: { affected: 1, rows },
    isCommitted: false,
    isCut: false,
    explanation: PREVIEW,
  });
  const change = { relation: 'book', filters: [{ column: 'id', operator: 'lt', value: 3 }], max_affected: 2 };
  const updated = await call('update_rows', { ...change, values: { note: 'new' } });
  expect(updated.content).toMatchObject({
    data: {
      affected: 2,
      rows: [
        { id: 1, note: 'new' },
        { id: 2, note: 'new' },
      ],
    },
    isCommitted: false,
    explanation: PREVIEW,
  });
  const deleted = await call('delete_rows', change);
  expect(deleted.content).toMatchObject({ data: { affected: 2, rows: [{ id: 1 }, { id: 2 }] }, isCommitted: false });
  expect(await harbor.query('select count(*)::int, count(note)::int from api.book')).toEqual([[250, 0]]);
  expect(await harbor.query('select count(*)::int from api.author')).toEqual([[2]]);
});

test('B82b a write with commit is kept', async () => {
  const { call } = await writer();
  const rows = [{ word: 'one', secret: 's' }, { word: 'two' }];
  const inserted = await call('insert_rows', { relation: 'log', rows, commit: true });
  expect(inserted.content).toMatchObject({
    data: {
      affected: 2,
      rows: [
        { id: 1, word: 'one' },
        { id: 2, word: 'two' },
      ],
    },
    isCommitted: true,
  });
  expect(inserted.content.explanation).toBeUndefined();
  expect(inserted.text).not.toContain('secret');
  const update = { relation: 'log', filters: [FIRST], values: { word: 'uno' }, max_affected: 1, commit: true };
  expect((await call('update_rows', update)).content.isCommitted).toBe(true);
  expect(await harbor.query('select word, secret from api.log order by id')).toEqual([
    ['uno', 's'],
    ['two', null],
  ]);
});

test('B82c more rows than max_affected change nothing', async () => {
  const { call } = await writer();
  const filters = [{ column: 'id', operator: 'gt', value: 200 }];
  const { isError, content } = await call('delete_rows', { relation: 'book', filters, max_affected: 49, commit: true });
  expect(isError).toBe(true);
  expect(content.data['error']).toMatchObject({ code: 'SVC124', details: 'The query affects 50 rows' });
  expect(await harbor.query('select count(*)::int from api.book')).toEqual([[250]]);
});

test('B82d updates and deletions demand filters and max_affected', async () => {
  const { call } = await writer();
  const update = { relation: 'book', values: { note: 'all' }, max_affected: 1000, commit: true };
  const unfiltered = await call('update_rows', { ...update, filters: [] });
  expect(unfiltered.content.data['error']).toMatchObject({
    message: 'The arguments do not fulfil the input schema of the tool',
  });
  const unlimited = await call('delete_rows', { relation: 'book', filters: [FIRST], commit: true });
  expect(unlimited.isError).toBe(true);
  // Parameters of the query string that are no filters do not pass for one.
  for (const column of [
    'select',
    'order',
    'limit',
    'offset',
    'columns',
    'on_conflict',
    'and',
    'or',
    'author.id',
    '"',
  ]) {
    const filters = [{ column, operator: 'eq', value: '1' }];
    const { isError } = await call('update_rows', { ...update, filters });
    expect([column, isError]).toEqual([column, true]);
  }
  expect(await harbor.query('select count(*)::int, count(note)::int from api.book')).toEqual([[250, 0]]);
});

test('B82e a role that may not read what it writes gets the count', async () => {
  const { call } = await writer();
  const given = { relation: 'blind', rows: [{ word: 'a' }, { word: 'b' }], commit: true };
  expect((await call('insert_rows', given)).content).toMatchObject({
    data: { affected: 2, rows: [] },
    isCommitted: true,
  });
});

test('B82f PostgreSQL checks the privileges', async () => {
  const { call } = await writer();
  const { content } = await call('insert_rows', { relation: 'big', rows: [{ id: 99 }], commit: true });
  expect(content.data['error']).toMatchObject({ status: 403, code: '42501' });
});

test('B82g volatile functions are previewed, and kept with commit', async () => {
  const { call } = await writer();
  const given = { function: 'add_author', arguments: { name: 'Di' } };
  expect((await call('call_function', given)).content).toMatchObject({
    data: { value: 3 },
    isCommitted: false,
    explanation: PREVIEW,
  });
  expect(await harbor.query('select count(*)::int from api.author')).toEqual([[2]]);
  expect((await call('call_function', { ...given, commit: true })).content.isCommitted).toBe(true);
  expect(await harbor.query('select name from api.author where id = 3')).toEqual([['Di']]);
  const { content } = await call('call_function', { function: 'total' });
  expect(content.isCommitted).toBeUndefined();
});

test('B82h where the server never commits, the result says so', async () => {
  const { call } = await writer(await start({ ...OPTIONS, 'db-tx-end': 'rollback' }));
  const { content } = await call('insert_rows', { relation: 'blind', rows: [{ word: 'c' }], commit: true });
  expect(content).toMatchObject({
    isCommitted: false,
    explanation: 'The server rolls every change back (db-tx-end).',
  });
  expect(await harbor.query("select count(*)::int from api.blind where word = 'c'")).toEqual([[0]]);
});

test('B82i the preview does not change what clients of the API may choose', async () => {
  const sent = await server.get('/berth', {
    method: 'POST',
    headers: { Prefer: 'tx=rollback', 'Content-Type': 'application/json' },
    body: '{"id": 40, "name": "kept"}',
  });
  expect([sent.status, sent.headers['preference-applied']]).toEqual([201, undefined]);
  expect(await harbor.query('select name from api.berth where id = 40')).toEqual([['kept']]);
});
