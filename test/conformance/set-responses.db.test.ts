// Status, reason and headers that database functions set: the result is always a valid HTTP response.
import { expect, test } from 'vitest';
import { PRODUCT } from '../../src/contract/product.ts';
import type { RawResponse } from './send-step.ts';
import { serveWriting } from './serve.ts';
import { use } from '../support/use.ts';

const service = await use(
  serveWriting({
    'db-schemas': 'api,labs',
    'db-pre-request': 'kit.gate',
    'server-timing-enabled': true,
  }),
);

function raise(code: string, msg: string, det?: string): Promise<RawResponse> {
  return service.send({
    method: 'POST',
    path: '/rpc/boom',
    body: { code, msg, ...(det === undefined ? {} : { det }) },
  });
}

function raiseCustom(detail: unknown, code = 'Q-7'): Promise<RawResponse> {
  return raise('SVC00', JSON.stringify({ code, message: 'Shelf is full' }), JSON.stringify(detail));
}

/** Returns the status, the content type, the length headers, the schema and the body. */
function outline({ status, headers, body }: RawResponse): unknown {
  const values = ['content-type', 'content-length', 'transfer-encoding', 'content-profile'].map(
    (n) => headers.get(n)?.[0],
  );
  return [status, ...values, body.toString()];
}

const ROWS = { Prefer: 'return=representation' };
const EMPTIED = [
  { method: 'GET', path: '/depots', headers: {}, body: undefined },
  { method: 'GET', path: '/rpc/hello', headers: {}, body: undefined },
  { method: 'POST', path: '/pairs', headers: ROWS, body: { a: 204, b: 1 } },
  { method: 'PUT', path: '/pairs?a=eq.204&b=eq.2', headers: ROWS, body: { a: 204, b: 2 } },
  { method: 'PATCH', path: '/depots?id=eq.1', headers: ROWS, body: { city: 'Oslo' } },
  { method: 'DELETE', path: '/pairs?a=eq.204', headers: ROWS, body: undefined },
];

for (const { headers, ...step } of EMPTIED) {
  test(`W173 W253 a status of 204 removes body, type and schema from a ${step.method} of ${step.path}`, async () => {
    const response = await service.send({ ...step, headers: { ...headers, 'X-Status': '204' } });
    expect(outline(response)).toEqual([204, undefined, undefined, undefined, undefined, '']);
  });
}

test('W171 W173 a Content-Type set by a function is kept with a status of 204', async () => {
  const response = await service.send({ path: '/rpc/respond?status=204&headers=[{"content-type":"a/b"}]' });
  expect(outline(response)).toEqual([204, 'a/b', undefined, undefined, undefined, '']);
});

const WITHOUT_BODY = [
  { method: 'GET', path: '/rpc/nothing', body: undefined },
  { method: 'PUT', path: '/pairs?a=eq.202&b=eq.1', body: { a: 202, b: 1 } },
  { method: 'PATCH', path: '/pairs?a=eq.202', body: { b: 1 } },
  { method: 'DELETE', path: '/pairs?a=eq.202', body: undefined },
];

for (const step of WITHOUT_BODY) {
  test(`W173 a ${step.method} whose 204 is changed to 202 has an empty body`, async () => {
    const response = await service.send({ ...step, headers: { 'X-Status': '202' } });
    expect(outline(response)).toEqual([202, undefined, '0', undefined, undefined, '']);
  });
}

for (const status of [204, 304]) {
  test(`W273 W275 W282 an error with status ${status} has no body`, async () => {
    for (const response of [await raise(`PT${status}`, 'x'), await raiseCustom({ status })])
      expect(outline(response)).toEqual([
        status,
        'application/json; charset=utf-8',
        undefined,
        undefined,
        undefined,
        '',
      ]);
  });
}

test('W281 W282 an offset beyond the total changed to 204 has no body', async () => {
  const headers = { Prefer: 'count=exact', 'X-Status': '204' };
  const response = await service.send({ path: '/depots?offset=9', headers });
  expect(outline(response)).toEqual([204, 'application/json; charset=utf-8', undefined, undefined, undefined, '']);
  expect(response.headers.get('content-range')).toEqual(['*/2']);
});

test('W273 a reason phrase keeps its letters and loses control characters', async () => {
  const { reason } = await raise('PT402', 'Zap\u0142a\u0107\r\nX-Evil: 1');
  expect(Buffer.from(reason, 'latin1').toString()).toBe('Zap\u0142a\u0107X-Evil: 1');
});

test('W275 a status without a standard phrase has an empty reason', async () => {
  const response = await raiseCustom({ status: 599 });
  expect([response.status, response.reason]).toEqual([599, '']);
});

for (const headers of [{ 'X Shelf': '9' }, { 'X-Shelf': '9\r\nX-Evil: 1' }]) {
  test(`W277 raised headers that cannot be sent make the error a 500: ${JSON.stringify(headers)}`, async () => {
    const detail = { status: 419, headers };
    const response = await raiseCustom(detail);
    expect([response.status, response.reason]).toEqual([500, 'Internal Server Error']);
    expect(JSON.parse(response.body.toString())).toEqual({
      code: 'SVC121',
      message: 'Could not parse JSON in the "RAISE SQLSTATE \'SVC\'" error',
      details: `Invalid JSON value for DETAIL: '${JSON.stringify(detail)}'`,
      hint: "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    });
  });
}

test('W266 W275 a line break in a raised code does not escape its header', async () => {
  const response = await raiseCustom({ status: 419 }, 'Q\r\nX-Evil: 1');
  expect(response.headers.get('proxy-status')).toEqual([`${PRODUCT.token}; error=QX-Evil: 1`]);
  expect(JSON.parse(response.body.toString())).toHaveProperty('code', 'Q\r\nX-Evil: 1');
});

test('W170 W275 functions cannot set the length of a body', async () => {
  const framing = { 'Content-Length': '3', 'transfer-encoding': 'chunked' };
  const raised = await raiseCustom({ status: 419, headers: framing });
  const list = Object.entries(framing).map(([name, value]) => ({ [name]: value }));
  const set = await service.send({ path: `/rpc/respond?headers=${JSON.stringify(list)}` });
  for (const response of [raised, set]) {
    expect(response.headers.get('content-length')).toEqual([String(response.body.byteLength)]);
    expect(response.headers.has('transfer-encoding')).toBe(false);
  }
});

test('W171 W262 functions can replace headers of every response', async () => {
  const own = { Server: 'mine', 'access-control-allow-origin': 'https://quay.example' };
  const list = Object.entries(own).map(([name, value]) => ({ [name]: value }));
  const headers = { Origin: 'https://sea.example' };
  const set = await service.send({ path: `/rpc/respond?headers=${JSON.stringify(list)}`, headers });
  const raised = await service.send({
    method: 'POST',
    path: '/rpc/boom',
    headers,
    body: { code: 'SVC00', msg: '{"code":"Q-7","message":"m"}', det: JSON.stringify({ status: 419, headers: own }) },
  });
  for (const response of [set, raised]) {
    expect(response.headers.get('server')).toEqual(['mine']);
    expect(response.headers.get('access-control-allow-origin')).toEqual(['https://quay.example']);
    expect(response.headers.get('access-control-expose-headers')).toHaveLength(1);
  }
});

test('W171 O209 a Server-Timing header set by a function is the only one', async () => {
  const { headers } = await service.send({ path: '/rpc/respond?headers=[{"server-timing":"cache;dur=1"}]' });
  expect(headers.get('server-timing')).toEqual(['cache;dur=1']);
  const plain = await service.send({ path: '/rpc/respond' });
  expect(plain.headers.get('server-timing')).toEqual([expect.stringMatching(/^jwt;dur=.*, response;dur=[\d.]+$/u)]);
});
