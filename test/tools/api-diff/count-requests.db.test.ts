// How many requests of a log notice each change, and which.
import { expect, test } from 'vitest';
import { createConfigReader } from '../../../src/service/configuration/read-config.ts';
import { compileSeams } from '../../../src/serve/extension.ts';
import { requestSettingsOf } from '../../../src/serve/request-context.ts';
import { EXTENSIONS } from '../../../src/server/extensions.ts';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';
import { countRequests } from '../../../tools/api-diff/count-requests.ts';
import { compareApis } from '../../../tools/api-diff/compare-apis.ts';
import { parseLog } from '../../../tools/api-diff/read-log.ts';
import { renderChanges, renderChangesAsJson } from '../../../tools/api-diff/render-changes.ts';
import { ANON, summarize, useSchemaDiff } from './diff-schemas.ts';

const { load } = await useSchemaDiff();

const config = createConfigReader({ file: undefined, environment: { SVC_DB_SCHEMAS: 'api' }, dialect: undefined })(
  new Map(),
  undefined,
);
if (!config.ok) throw new Error(config.error.message);
const api = { dialect: SVC_DIALECT, config: config.value };
const settings = requestSettingsOf({ ...api, seams: compileSeams(EXTENSIONS, api) });

const GRANTS = `grant all on all tables in schema api to ${ANON};`;
const BEFORE = `create type state as enum ('new', 'old', 'lost');
  create table customers (id integer primary key, name text);
  create table orders (id integer primary key, total numeric, state state, code text unique, customer integer references customers);
  create function total(customer integer) returns numeric stable language sql as 'select 1.0';
  ${GRANTS}`;
const AFTER = `create type state as enum ('new', 'old');
  create table customers (id integer primary key, name text not null);
  create table orders (id integer primary key, state state, code text, customer integer);
  create function total(customer integer, year integer) returns numeric language sql as 'select 1.0';
  ${GRANTS}`;

function line(request: string): string {
  return `127.0.0.1 - web_anon [27/Nov/2026:10:00:00 +0000] "${request} HTTP/1.1" 200 12 "" "curl"`;
}

const LOG = [
  ...Array.from({ length: 7 }, () => 'GET /orders?select=total'),
  'GET /orders?total=gt.5&select=id',
  'GET /orders?order=total.desc&select=id',
  'GET /customers?select=name,orders(total)',
  'GET /customers?select=name',
  'GET /orders?select=id&state=eq.lost',
  'GET /orders?select=id&state=in.(new,lost)',
  'GET /orders?select=id&state=eq.new',
  'POST /orders?on_conflict=code&columns=code',
  'POST /customers',
  'GET /rpc/total?customer=1',
  'POST /rpc/total',
  'GET /favicon.ico',
]
  .map(line)
  .join('\n');

async function count(
  log: string,
): Promise<{ readonly json: string; readonly text: string; readonly found: readonly string[] }> {
  const [old, current] = [await load(BEFORE), await load(AFTER)];
  const changes = compareApis({ old, new: current, renames: new Map() });
  const recording = parseLog(log, undefined);
  const hits = countRequests(changes, recording.ok ? recording.value.requests : [], old, settings);
  const found = changes.map((change) => `${summarize(change)}: ${hits.get(change)?.requests}`);
  return { json: renderChangesAsJson(changes, hits), text: renderChanges(changes, hits), found };
}

test('P26 each break says how many requests of an access log it hits', async () => {
  const { found } = await count(LOG);
  expect(found).toEqual([
    'breaking column-became-required /customers name: 1',
    'breaking embed-removed /customers orders: 1',
    'breaking column-removed /orders total: 10',
    'breaking conflict-target-removed /orders: 1',
    'breaking embed-removed /orders customers: 0',
    'breaking enum-value-removed /orders state: 2',
    'breaking argument-added-required /rpc/total year: 2',
    'breaking volatility-changed /rpc/total: 1',
    'risky column-became-not-null /customers name: 1',
  ]);
});

test('P26b up to five different samples are listed, in JSON and as text', async () => {
  const requests = [1, 1, 2, 3, 4, 5, 6].map((id) => line(`GET /orders?id=eq.${id}&select=total`));
  const { json, text } = await count(requests.join('\n'));
  const { changes } = JSON.parse(json) as { readonly changes: readonly unknown[] };
  expect(changes.find((change) => JSON.stringify(change).includes('column-removed'))).toEqual({
    level: 'breaking',
    kind: 'column-removed',
    schema: 'api',
    path: '/orders',
    signature: null,
    name: 'total',
    privilege: null,
    roles: [ANON],
    message: 'column total is gone',
    requests: 7,
    samples: [1, 2, 3, 4, 5].map((id) => `GET /orders?id=eq.${id}&select=total`),
  });
  expect(text).toContain(`  /orders column-removed: column total is gone (${ANON})
    7 requests of the log, such as
      GET /orders?id=eq.1&select=total
`);
});

test('P26c the bodies and headers of a HAR file decide', async () => {
  const post = (url: string, body: object): object => ({
    request: { method: 'POST', url, headers: [], postData: { text: JSON.stringify(body) } },
  });
  const entries = [
    post('http://localhost:3000/customers', { id: 1 }),
    post('http://localhost:3000/customers', { id: 1, name: 'Ann' }),
    post('http://localhost:3000/orders', { id: 1, total: 5 }),
    post('http://localhost:3000/orders', [{ id: 1 }, { id: 2, state: 'lost' }]),
    post('http://localhost:3000/rpc/total', { customer: 1 }),
    { request: { method: 'GET', url: 'https://elsewhere.example/orders?select=id', headers: [] } },
  ];
  const { found } = await count(JSON.stringify({ log: { entries } }));
  expect(found.filter((text) => !text.endsWith(': 0'))).toEqual([
    'breaking column-became-required /customers name: 1',
    'breaking column-removed /orders total: 1',
    'breaking enum-value-removed /orders state: 1',
    'breaking argument-added-required /rpc/total year: 1',
    'risky column-became-not-null /customers name: 1',
  ]);
});

test('P26d a file without requests is refused', () => {
  expect(parseLog('hello\n', undefined).ok).toBe(false);
});

test('without a log, neither count nor samples are listed', async () => {
  const [old, current] = [await load(BEFORE), await load(AFTER)];
  const changes = compareApis({ old, new: current, renames: new Map() });
  expect(renderChangesAsJson(changes, undefined)).not.toMatch(/requests|samples/u);
  expect(renderChanges(changes, undefined)).toMatch(/\n8 breaking, 1 risky, 0 compatible\n$/u);
});
