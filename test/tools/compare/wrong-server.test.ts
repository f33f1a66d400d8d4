// A server that responds wrongly in ten ways beside one that responds correctly: the comparison finds each of them, in a
// group of its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CompareCommand, compareServers } from '../../../tools/compare/compare-servers.ts';
import { parseInvocation } from '../../../tools/command-line/invocation.ts';
import { PROGRAM } from '../../../tools/commands/index.ts';
import { renderComparison, type Comparison } from '../../../tools/compare/report/render-comparison.ts';
import { listen, portOf } from '../../support/listen.ts';
import { useFolder } from '../../support/use.ts';

interface Answer {
  readonly status: number;
  /** An empty list leaves the header out. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  /** Declares more bytes than are sent. */
  readonly isCut?: true;
  readonly isDelayed?: true;
}

const ROWS = '[{"id":1,"price":1.10,"name":"a"},\n {"id":2,"price":2,"name":"b"},\n {"id":3,"price":3,"name":"c"}]';
const RIGHT: Answer = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'content-range': '0-2/*', 'content-profile': 'api' },
  body: ROWS,
};
const DESCRIPTION: Answer = {
  ...RIGHT,
  body: JSON.stringify({
    paths: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`/t${index}`, { get: { summary: 'x'.repeat(300) } }]),
    ),
  }),
};
const ERROR: Answer = {
  ...RIGHT,
  status: 404,
  body: '{"code":"PGRST205","details":null,"hint":null,"message":"no"}',
};

/** What the second server does differently, by path. */
const WRONG: Readonly<Record<string, (answer: Answer) => Answer>> = {
  '/same': (answer) => ({
    ...answer,
    headers: { ...answer.headers, date: 'x', server: 'other', 'server-timing': 'total;dur=1' },
    body: ROWS.replace('"id":1,"price":1.10', '"price":1.10, "id":1'),
  }),
  '/status': (answer) => ({ ...answer, status: 206 }),
  '/missing-header': (answer) => ({ ...answer, headers: { ...answer.headers, 'content-profile': [] } }),
  '/range': (answer) => ({ ...answer, headers: { ...answer.headers, 'content-range': '0-2/3' } }),
  '/number': (answer) => ({ ...answer, body: ROWS.replace('1.10', '1.1') }),
  '/missing-row': (answer) => ({ ...answer, body: ROWS.replace('{"id":2,"price":2,"name":"b"},\n ', '') }),
  '/order': (answer) => ({
    ...answer,
    body: ROWS.replace('"id":2,"price":2,"name":"b"', '_')
      .replace('"id":3,"price":3,"name":"c"', '"id":2,"price":2,"name":"b"')
      .replace('_', '"id":3,"price":3,"name":"c"'),
  }),
  '/extra-key': (answer) => ({ ...answer, body: ROWS.replaceAll('"name"', '"constructor":true,"name"') }),
  '/cut': (answer) => ({ ...answer, isCut: true }),
  '/broken': (answer) => ({ ...answer, body: ROWS.slice(0, 40) }),
  '/type': (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } }),
  '/error': () => ({ ...ERROR, body: ERROR.body.replace('PGRST205', 'PGRST200').replace('"no"', '"none"') }),
  '/moved': () => ({ ...RIGHT, status: 302, headers: { location: '/same' } }),
  '/?x=description': (answer) => ({ ...answer, body: '{"paths":{}}' }),
  '/late': (answer) => ({ ...answer, isDelayed: true }),
};

const received: string[] = [];

const folder = useFolder();
const right: Server = await serve((request) => answerRightly(request.url ?? ''));
const wrong: Server = await serve(({ url = '' }) => (WRONG[url] ?? ((answer) => answer))(answerRightly(url)));

afterAll(async () => {
  for (const server of [right, wrong]) {
    server.closeAllConnections();
    server.close();
  }
});

function answerRightly(url: string): Answer {
  if (url === '/?x=description') return DESCRIPTION;
  return url === '/error' || url === '/-/-/-' ? ERROR : RIGHT;
}

async function serve(answer: (request: IncomingMessage) => Answer): Promise<Server> {
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    send(response, answer(request));
  });
  await listen(server);
  return server;
}

function send(response: ServerResponse, { status, headers, body, isCut, isDelayed }: Answer): void {
  if (isDelayed) return;
  if (!isCut) {
    response.writeHead(status, headers).end(body);
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.slice(0, 40), () => response.destroy());
}

async function compare(text: string, ...args: readonly string[]): Promise<Comparison> {
  const file = path.join(folder, 'requests.txt');
  await writeFile(file, text);
  const operands = [right, wrong].map((server) => `http://127.0.0.1:${portOf(server)}/`);
  const flags = [`--requests=${file}`, ...args.map((arg) => `--${arg}`)];
  const parsed = parseInvocation(PROGRAM, ['compare', ...operands, ...flags], {});
  const result = parsed.ok ? await compareServers(parsed.value.options as CompareCommand) : parsed;
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

test.each([
  ['/status', 'Status 200 → 206', '200', '206'],
  ['/missing-header', 'Missing header content-profile', 'api', undefined],
  ['/range', 'Header content-range', '0-2/*', '0-2/3'],
  ['/number', 'Value of [].price', '1.10', '1.1'],
  ['/missing-row', 'Missing rows', '{"id":2,"name":"b","price":2}', undefined],
  ['/order', 'Order of rows', '{"id":2,"name":"b","price":2}', '{"id":3,"name":"c","price":3}'],
  ['/extra-key', 'Additional key [].constructor', undefined, 'true'],
  ['/cut', 'No complete response', '200', 'the connection was closed before the end of the response'],
  ['/broken', 'Invalid JSON', ROWS, ROWS.slice(0, 40)],
  ['/type', 'Header content-type', 'application/json; charset=utf-8', 'text/plain'],
  ['/error', 'Error code PGRST205 → PGRST200', 'PGRST205', 'PGRST200'],
])('%s is found as %s', async (target, cause, old, other) => {
  const { groups, same } = await compare(`GET ${target}`);
  const examples = [{ method: 'GET', target, old, new: other }];
  expect({ same, groups }).toEqual({ same: 0, groups: [{ cause, departure: undefined, count: 1, examples }] });
});

test('neither the order of keys, nor the date, the server and its timing count', async () => {
  expect(await compare('/same\n/other')).toMatchObject({ compared: 2, same: 2, groups: [] });
});

test('what a log contains unescaped is sent escaped; a request that HTTP cannot express is a difference', async () => {
  received.length = 0;
  expect(await compare('GET /same?a="é"%20')).toMatchObject({ same: 1 });
  expect(received.filter((line) => line.includes('?'))).toEqual(Array(2).fill('GET /same?a="%C3%A9"%20'));
  const { groups } = await compare('/same\nPrefer: ☃');
  expect(groups.map(({ cause }) => cause)).toEqual(['No complete response']);
});

test('a redirect is a status, and is not followed', async () => {
  received.length = 0;
  const { groups } = await compare('/moved');
  expect(groups.map(({ cause }) => cause)).toContain('Status 200 → 302');
  expect(received.filter((line) => line === 'GET /same')).toEqual([]);
});

test('a server that does not respond in time is a difference', async () => {
  const { groups } = await compare('/late', 'timeout=1');
  expect(groups).toEqual([
    {
      cause: 'No complete response',
      departure: undefined,
      count: 1,
      examples: [{ method: 'GET', target: '/late', old: '200', new: 'no complete response in time' }],
    },
  ]);
});

test('each request is sent once to each server, writes never, the token only where none was recorded', async () => {
  received.length = 0;
  const text = '/same\nGET /same\nPOST /rpc/pay\nDELETE /same?id=eq.1\nHEAD /same\nAuthorization: Bearer mine\n';
  const { compared, skipped } = await compare(text, 'token=abc');
  expect([compared, skipped]).toEqual([
    2,
    [
      ['may change data (--writes sends them and rolls back)', 2],
      ['not a request to this API', 0],
    ],
  ]);
  expect(received.filter((line) => !line.includes('/-/-/-')).toSorted()).toEqual([
    'GET /same Bearer abc',
    'GET /same Bearer abc',
    'HEAD /same Bearer mine',
    'HEAD /same Bearer mine',
  ]);
});

test('the report counts, names each cause and shows both sides', async () => {
  const text = renderComparison(await compare('/number\n/same\n/range?a=1\n/status\nPATCH /x'));
  expect(text).toBe(`4 requests compared: 2 same, 2 different
The requests come from ${path.join(folder, 'requests.txt')}
1 skipped: may change data (--writes sends them and rolls back)

Value of [].price (1)
  GET /number
    old: 1.10
    new: 1.1

Status 200 → 206 (1)
  GET /status
    old: 200
    new: 206
`);
});

test('the report shows a request once, however often it differs, and an API description by its parts', async () => {
  const text = renderComparison(
    await compare('/number\n\n/number\nAccept: application/json\n\n/number\nPrefer: count=exact\n\n/?x=description'),
  );
  expect(text.split('\n').slice(3)).toEqual([
    'API description: paths (30)',
    '  GET /?x=description',
    '    Missing key paths./t0',
    `    old: ${JSON.stringify({ get: { summary: 'x'.repeat(300) } }).slice(0, 120)}…`,
    '    new: (none)',
    '    Missing key paths./t1',
    `    old: ${JSON.stringify({ get: { summary: 'x'.repeat(300) } }).slice(0, 120)}…`,
    '    new: (none)',
    '  and 28 more',
    '',
    'Value of [].price (3)',
    '  GET /number (3 times)',
    '    old: 1.10',
    '    new: 1.1',
    '',
  ]);
});
