// What one batch may take: bytes that references insert, and the members of its requests.
import { expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { answersOf, failureOf, type InnerRequest, SHOWN } from './send-batch.ts';
import { useShop } from './shop.ts';

const shop = await useShop();
const start = useServers(shop);
const server = await start();
const small = await start({ 'batch-max-response': 20_000 });

const TEXT = { 'Content-Type': 'text/plain' };
const note = (length: number): InnerRequest => ({
  id: 'n',
  method: 'POST',
  path: '/rpc/note',
  headers: TEXT,
  body: 'x'.repeat(length),
});
const refer = (count: number): unknown => Array.from({ length: count }, () => ({ $from: 'n', at: '' }));
const slip = (id: number, count: number): InnerRequest => ({
  method: 'POST',
  path: '/slip?columns=id',
  body: { id, body: refer(count) },
});

test('B32i bytes that references insert count with the responses', async () => {
  expect(await answersOf(small, [note(1000), slip(1, 15)])).toHaveLength(2);
  expect(await failureOf(small, [note(1000), slip(2, 19)])).toEqual({
    status: 400,
    code: 'SVC129',
    message: 'The request exceeds a limit of this server',
    details: 'The responses in a batch and the parts of them that references insert have up to 20000 bytes together',
    hint: 'The operator sets this limit with batch-max-response',
    request: 1,
  });
});

test('B32j they count in all requests together, before they are sent', async () => {
  const batch = [note(1000), slip(3, 8), slip(4, 8), { ...slip(5, 8), id: 'last' }];
  expect(await failureOf(small, batch)).toMatchObject({ status: 400, code: 'SVC129', request: 3, id: 'last' });
  expect(await small.json('/slip?id=gte.2')).toEqual([]);
});

test('B32k a small batch cannot expand to a large one', async () => {
  const batch = [note(1_000_000), slip(6, 5000)];
  expect(await failureOf(server, batch)).toMatchObject({ status: 400, code: 'SVC129', request: 1 });
});

const text = (member: string): string => `[{"id":"a","method":"GET","path":"/product?id=eq.1",${member}}]`;

test.each([
  [
    'a long id',
    `[{"method":"GET","path":"/product","id":"${'x'.repeat(65_536)}"}]`,
    'has the member "id" with more than 65536 bytes',
  ],
  [
    'a long method',
    `[{"method":"${'G'.repeat(65_536)}","path":"/product"}]`,
    'has the member "method" with more than 65536 bytes',
  ],
  [
    'a long path',
    `[{"method":"GET","path":"/${'x'.repeat(1_048_576)}"}]`,
    'has the member "path" with more than 1048576 bytes',
  ],
  [
    'long headers',
    text(`"headers":{"Prefer":"${'x'.repeat(65_536)}"}`),
    'has the member "headers" with more than 65536 bytes',
  ],
  ['a long unknown member', text(`"${'y'.repeat(3_000_000)}":1`), `has the unknown member "${'y'.repeat(63)}…`],
])('B32l %s is SVC102', async (_, batch, problem) => {
  expect(await failureOf(server, batch)).toMatchObject({
    status: 400,
    code: 'SVC102',
    message: `Request 0 of the batch ${problem}`,
    request: 0,
  });
});

test('B32m a long pointer or id in a reference is SVC131', async () => {
  for (const reference of [
    { $from: 'n', at: `/${'x'.repeat(65_536)}` },
    { $from: 'x'.repeat(65_536), at: '' },
  ]) {
    expect(
      await failureOf(server, [note(1), { method: 'POST', path: '/slip', body: { id: 1, body: reference } }]),
    ).toMatchObject({
      status: 400,
      code: 'SVC131',
      details: 'The id and the pointer are strings of up to 65536 bytes',
      request: 1,
    });
  }
});

test('B32n pointers have up to 100,000 steps together', async () => {
  const bodies = Array.from({ length: 6 }, (_, index) => ({ $from: 'n', at: `/${index}${'/a'.repeat(20_000)}` }));
  const batch = [note(1), { method: 'POST', path: '/slip', body: { id: 1, body: bodies } }];
  expect(await failureOf(server, batch)).toMatchObject({
    status: 400,
    code: 'SVC102',
    message: 'The pointers of a batch have up to 100000 different steps together',
    request: 1,
  });
});

test('B32o a path is compared with url-max-length before it is parsed', async () => {
  const batch = [note(1), { path: `/product?${'&'.repeat(100_001)}{n#}` }];
  expect(await failureOf(server, batch)).toMatchObject({ status: 414, code: 'SVC129', request: 1 });
});

test('B32q the statements of a batch have a limit together', async () => {
  const filters = 'id=gte.1&'.repeat(6000);
  const batch = Array.from({ length: 20 }, () => ({ path: `/product?${filters}` }));
  expect(await failureOf(server, batch)).toMatchObject({
    status: 400,
    code: 'SVC129',
    details: 'The statements of a batch have up to 2097152 characters together',
    request: expect.any(Number) as number,
  });
});

test('B30y texts with every escape are the body of a request that is not JSON', async () => {
  const sent = 'a"b\\c/\b\f\n\r\té😀\u0001';
  const escaped = JSON.stringify(sent)
    .replace('é', String.raw`\u00e9`)
    .replace('😀', String.raw`\ud83d\uDE00`);
  const batch = `[{"method":"POST","path":"/rpc/note","headers":{"Content-Type":"text/plain"},"body":${escaped}}]`;
  const [answer] = await answersOf(server, batch);
  expect(answer?.body).toBe(sent);
});

test('B30z a large response can be referred to in many places', async () => {
  const count = 2000;
  await shop.sql(`insert into api.slip select n, 'row ' || n from generate_series(100, ${99 + count}) n`);
  const rows = Array.from({ length: count }, (_, index) => ({
    id: 10_000 + index,
    body: { $from: 'all', at: `/${count - 1 - index}/body` },
  }));
  const answers = await answersOf(server, [
    { id: 'all', path: '/slip?id=gte.100&order=id' },
    { method: 'POST', path: '/slip?select=id,body&order=id', headers: SHOWN, body: rows },
  ]);
  const written = answers[1]?.body as readonly { readonly body: string }[];
  expect(written.map(({ body }) => body)).toEqual(
    Array.from({ length: count }, (_, index) => `row ${99 + count - index}`),
  );
  await shop.sql('delete from api.slip');
});
