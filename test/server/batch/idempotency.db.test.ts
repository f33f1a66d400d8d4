// Requests with an idempotency key take effect once.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { type Answer, bearer, type LocalServer, useServers } from '../../support/local-server.ts';
import { BATCH_TYPE } from './send-batch.ts';
import { useShop } from './shop.ts';

const shop = await useShop();
await shop.sql(renderIdempotencySetup('safe "keys"').join('\n'));
await shop.sql(`create function api.sign_in() returns text language plpgsql volatile as $$ begin
  perform set_config('response.headers', '[{"Set-Cookie": "session=s1"}, {"X-Seen": "yes"}]', true);
  return 'welcome'; end $$`);
const start = useServers(shop);
const OPTIONS = { 'db-idempotency-schema': 'safe "keys"', 'db-pool-acquisition-timeout': 1 };
const server = await start(OPTIONS);
const MIRA = bearer({ role: shop.user, sub: 'mira' });

interface Keyed {
  readonly key?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: LocalServer;
}

function send({ key = '', method = 'POST', path = '/slip', body, headers = {}, at = server }: Keyed): Promise<Answer> {
  return at.get(path, {
    method,
    headers: { ...MIRA, 'Content-Type': 'application/json', 'Idempotency-Key': key, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const codeOf = ({ status, text }: Answer): unknown => [status, (JSON.parse(text) as { code: string }).code];
const count = async (condition: string): Promise<unknown> =>
  (await shop.query(`select count(*)::int from api.slip where ${condition}`))[0]?.[0];

describe('repetition', () => {
  test('B67 the same request again returns the stored response and writes nothing', async () => {
    const request = {
      key: 'a-1',
      path: '/slip?select=id,body',
      body: { id: 1, body: 'x' },
      headers: { Prefer: 'return=representation, count=exact' },
    };
    const first = await send(request);
    expect([first.status, first.text, first.headers['idempotency-replayed']]).toEqual([
      201,
      '[{"id":1,"body":"x"}]',
      undefined,
    ]);
    const again = await send(request);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true']);
    for (const name of ['content-type', 'content-range', 'preference-applied', 'vary', 'content-length'])
      expect(again.headers[name]).toBe(first.headers[name]);
    expect(again.headers['access-control-expose-headers'] ?? '').toBe('');
    const fromPage = await send({ ...request, headers: { ...request.headers, Origin: 'https://a.example' } });
    expect(fromPage.headers['access-control-expose-headers']).toContain('Idempotency-Replayed');
    expect(await count('id = 1')).toBe(1);
  });

  test.each([
    ['PATCH', { method: 'PATCH', path: '/product?id=eq.1', body: { stock: 2 } }, 204],
    ['PUT', { method: 'PUT', path: '/slip?id=eq.50', body: { id: 50, body: 'p' } }, 204],
    ['DELETE', { method: 'DELETE', path: '/slip?id=eq.50' }, 204],
    ['a volatile function', { path: '/rpc/count_call', body: {} }, 200],
    ['a function that only reads', { path: '/rpc/state', body: {} }, 200],
    ['a status of a function', { path: '/rpc/teapot', body: {} }, 299],
  ])('B67b %s takes effect once', async (name, request, status) => {
    const first = await send({ key: name.replaceAll(' ', '_'), ...request });
    const again = await send({ key: name.replaceAll(' ', '_'), ...request });
    expect([first.status, again.status]).toEqual([status, status]);
    expect(again.text).toBe(first.text);
    expect(again.headers['x-pot']).toEqual(first.headers['x-pot']);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('B67c a batch takes effect once, and its stored response has all elements', async () => {
    const body = [
      {
        id: 'o',
        method: 'POST',
        path: '/purchase',
        headers: { Prefer: 'return=representation' },
        body: { note: 'once' },
      },
      { method: 'POST', path: '/item', body: { purchase_id: { $from: 'o', at: '/0/id' } } },
    ];
    const request = { key: 'b-1', path: '/', body, headers: { 'Content-Type': BATCH_TYPE } };
    const first = await send(request);
    const again = await send(request);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(
      await shop.query(
        `select count(*)::int from api.purchase join api.item on purchase_id = purchase.id where note = 'once'`,
      ),
    ).toEqual([[1]]);
  });

  test('B67i a repeated response contains no cookie, and neither do the elements of a batch', async () => {
    const single = { key: 'c-1', path: '/rpc/sign_in', body: {} };
    expect((await send(single)).headers['set-cookie']).toEqual(['session=s1']);
    const repeated = await send(single);
    expect([repeated.text, repeated.headers['x-seen'], repeated.headers['set-cookie']]).toEqual([
      '"welcome"',
      'yes',
      undefined,
    ]);
    const body = [{ id: 's', method: 'POST', path: '/rpc/sign_in' }];
    const batch = { key: 'c-2', path: '/', body, headers: { 'Content-Type': BATCH_TYPE } };
    const headersOf = ({ text }: Answer): unknown =>
      (JSON.parse(text) as readonly { readonly headers: unknown }[])[0]?.headers;
    const first = await send(batch);
    expect(headersOf(first)).toMatchObject({ 'set-cookie': ['session=s1'], 'x-seen': ['yes'] });
    const again = await send(batch);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(headersOf(again)).not.toHaveProperty('set-cookie');
    expect(again.text.replace('"x-seen"', '"set-cookie":["session=s1"],"x-seen"')).toBe(first.text);
  });

  test('B67d GET and HEAD ignore the header', async () => {
    for (const method of ['GET', 'HEAD']) {
      const first = await send({ key: 'two words', method, path: '/product' });
      expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
  });

  test('B67e a quoted key is the same as a bare one', async () => {
    await send({ key: 'k"9', body: { id: 9 } });
    expect((await send({ key: '"k\\"9"', body: { id: 9 } })).headers['idempotency-replayed']).toBe('true');
  });

  test.each([[''], ['a b'], ['é'], ['"'], ['"a'], ['""'], ['"a"b'], ['x'.repeat(256)], [`"${'x'.repeat(256)}"`]])(
    'B67f the key %j is SVC102',
    async (key) => {
      expect(codeOf(await send({ key: Buffer.from(key).toString('latin1'), body: { id: 99 } }))).toEqual([
        400,
        'SVC102',
      ]);
      expect(await count('id = 99')).toBe(0);
    },
  );

  test('B67g a request that fails or is rolled back stores nothing, so its key is free', async () => {
    expect(codeOf(await send({ key: 'f', path: '/product', body: { id: 9, name: 'x', stock: -1 } }))).toEqual([
      400,
      '23514',
    ]);
    const single = { Accept: 'application/vnd.svc.object+json', Prefer: 'return=representation' };
    expect(
      codeOf(await send({ key: 'f', method: 'PATCH', path: '/product?id=gt.0', body: { name: 'z' }, headers: single })),
    ).toEqual([406, 'SVC116']);
    expect((await send({ key: 'f', body: { id: 20 } })).status).toBe(201);
    const undoing = await start({ ...OPTIONS, 'db-tx-end': 'rollback' });
    expect((await send({ key: 'r', body: { id: 21 }, at: undoing })).status).toBe(201);
    expect((await send({ key: 'r', body: { id: 22 } })).status).toBe(201);
  });

  test('B67h the pre-request function runs once before the request and once before a replay', async () => {
    await shop.sql(`create sequence api.checks; grant usage on sequence api.checks to ${shop.user};
      create function api.check_key() returns void language sql as $$ select nextval('api.checks') $$`);
    const checked = await start({ ...OPTIONS, 'db-pre-request': 'api.check_key' });
    const calls = async (): Promise<unknown> => (await shop.query('select last_value::int from api.checks'))[0]?.[0];
    await send({ key: 'p', body: { id: 30 }, at: checked });
    expect(await calls()).toBe(1);
    expect((await send({ key: 'p', body: { id: 30 }, at: checked })).headers['idempotency-replayed']).toBe('true');
    expect(await calls()).toBe(2);
  });
});

describe('other requests', () => {
  test('B68 the same key with another request is SVC139', async () => {
    const request = { key: 'o', body: { id: 40 }, headers: { Prefer: 'return=minimal' } };
    await send(request);
    for (const other of [
      { body: { id: 41 } },
      { path: '/slip?select=id' },
      { method: 'PUT', path: '/slip?id=eq.40' },
      { headers: { Prefer: 'return=representation' } },
      { headers: { ...request.headers, Accept: 'text/csv' } },
      { headers: { ...request.headers, 'Content-Profile': 'api' } },
      { headers: { ...request.headers, 'Content-Type': 'application/json; charset=utf-8' } },
    ]) {
      const answer = await send({ ...request, ...other });
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'SVC139',
        message: 'This idempotency key was used for another request',
      });
      expect(answer.status).toBe(422);
    }
  });

  test('B68g a subject that is too long for the index is refused', async () => {
    // A text that PostgreSQL cannot compress.
    const sub = randomBytes(2250).toString('base64');
    const refused = await send({ key: 'long', body: { id: 70 }, headers: bearer({ role: shop.user, sub }) });
    expect(codeOf(refused)).toEqual([400, 'SVC127']);
    const headers = bearer({ role: shop.user, sub: sub.slice(0, 1024) });
    expect((await send({ key: 'k'.repeat(255), body: { id: 70 }, headers })).status).toBe(201);
  });

  test('B68b keys are separate for each role and subject', async () => {
    const request = { key: 's', body: { id: 45 } };
    await send(request);
    const headers = bearer({ role: shop.user, sub: 'peter' });
    expect(codeOf(await send({ ...request, headers }))).toEqual([409, '23505']);
    expect(codeOf(await send({ ...request, headers: bearer({ role: shop.anon, sub: 'mira' }) }))).toEqual([
      409,
      '23505',
    ]);
    expect((await send(request)).status).toBe(201);
  });

  test('B68c without a subject the header is SVC127, unless keys may be shared', async () => {
    const request = { key: 'anon', body: { id: 46 }, headers: { Authorization: '' } };
    expect(codeOf(await send(request))).toEqual([400, 'SVC127']);
    const open = await start({ ...OPTIONS, 'idempotency-anonymous': true });
    expect((await send({ ...request, at: open })).status).toBe(201);
    expect((await send({ ...request, at: open })).headers['idempotency-replayed']).toBe('true');
  });

  test('B68d a request in progress is waited for, then 409 SVC138 with Retry-After', async () => {
    const hold = await shop.hold();
    const request = { key: 'slow', path: '/rpc/wait', body: {} };
    const first = send(request);
    await hold.waiting(1);
    const late = await send(request);
    expect(JSON.parse(late.text)).toMatchObject({
      code: 'SVC138',
      message: 'A request with this idempotency key is in progress',
    });
    expect([late.status, late.headers['retry-after']]).toEqual([409, '1']);
    const waiting = send(request);
    await hold.release();
    expect((await first).headers['idempotency-replayed']).toBeUndefined();
    const answer = await waiting;
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, 'true']);
  });

  test('B68e of many concurrent requests with one key exactly one takes effect', async () => {
    const before = await shop.query('select last_value::int from api.calls');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send({ key: 'race', path: '/rpc/count_call', body: {} })),
    );
    const after = await shop.query('select last_value::int from api.calls');
    expect(Number(after[0]?.[0]) - Number(before[0]?.[0])).toBe(1);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(
      answers.filter(({ headers, status }) => status === 200 && headers['idempotency-replayed'] === undefined),
    ).toHaveLength(1);
  });

  test('B68f roles cannot reach the table, and take part with their own name only', async () => {
    await shop.sql(
      `create function api.peek() returns bigint language sql volatile as $$ select count(*) from "safe ""keys""".idempotency_keys $$`,
    );
    await server.reload();
    expect(codeOf(await send({ key: 'peek', path: '/rpc/peek', body: {} }))).toEqual([403, '42501']);
  });
});

describe('limits', () => {
  test('B69 a body above 64 KiB is not stored: its repetition is 409 SVC138', async () => {
    const request = {
      key: 'long',
      path: '/slip?select=body',
      body: { id: 60, body: 'x'.repeat(70_000) },
      headers: { Prefer: 'return=representation' },
    };
    expect((await send(request)).status).toBe(201);
    const again = await send(request);
    expect(JSON.parse(again.text)).toMatchObject({
      code: 'SVC138',
      message: 'A request with this idempotency key was done, but its answer was not kept',
      details: expect.stringContaining('GET'),
    });
    expect([again.status, again.headers['retry-after']]).toEqual([409, undefined]);
    expect(await count('id = 60')).toBe(1);
  });

  test('B69b keys expire, and expired keys are removed a thousand at a time', async () => {
    const short = await start({ ...OPTIONS, 'idempotency-max-age': 1 });
    await send({ key: 'old', body: { id: 61 }, at: short });
    await shop.sql(`update "safe ""keys""".idempotency_keys set expires_at = now() - interval '1 second' where key = 'old';
      insert into "safe ""keys""".idempotency_keys (role, subject, key, fingerprint, expires_at)
        select 'r', 's', n::text, '', now() - interval '1 day' from generate_series(1, 1500) n`);
    expect(codeOf(await send({ key: 'old', body: { id: 61 } }))).toEqual([409, '23505']);
    expect((await send({ key: 'old', body: { id: 62 } })).status).toBe(201);
    const left = (
      await shop.query(`select count(*)::int from "safe ""keys""".idempotency_keys where role = 'r'`)
    )[0]?.[0];
    expect(left).toBe(500);
  });

  const expire = (key: string): Promise<void> =>
    shop.sql(
      `update "safe ""keys""".idempotency_keys set expires_at = now() - interval '1 second' where key = '${key}'`,
    );

  test('B69d a slow request does not keep others from using keys that have expired', async () => {
    await send({ key: 'expired', body: { id: 63 } });
    await expire('expired');
    const hold = await shop.hold();
    const slow = send({ key: 'holding', path: '/rpc/wait', body: {} });
    await hold.waiting(1);
    expect((await send({ key: 'expired', body: { id: 64 } })).status).toBe(201);
    await hold.release();
    expect((await slow).status).toBe(200);
  });

  test('B69e a subject stores keys up to a number of bytes, and repetitions are answered beyond it', async () => {
    const small = await start({ ...OPTIONS, 'idempotency-max-bytes': 2000 });
    const greedy = { ...bearer({ role: shop.user, sub: 'greedy' }), Prefer: 'return=representation' };
    const sendOne = (id: number, headers: Readonly<Record<string, string>> = greedy): Promise<Answer> =>
      send({ key: `greedy-${id}`, path: '/slip?select=body', body: { id, body: 'x'.repeat(500) }, headers, at: small });
    expect((await sendOne(9001)).status).toBe(201);
    expect((await sendOne(9002)).status).toBe(201);
    const rejected = await sendOne(9003);
    expect(codeOf(rejected)).toEqual([429, 'SVC006']);
    expect(JSON.parse(rejected.text)).toMatchObject({
      message: 'Too many idempotency keys',
      hint: expect.stringContaining('idempotency-max-bytes'),
    });
    expect(await count('id = 9003')).toBe(0);
    const repeated = await sendOne(9002);
    expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect((await sendOne(9004, bearer({ role: shop.user, sub: 'modest' }))).status).toBe(201);
    await expire('greedy-9001');
    expect((await sendOne(9003)).status).toBe(201);
    expect(codeOf(await sendOne(9005))).toEqual([429, 'SVC006']);
  });

  test('B69c a body that is inserted while it arrives cannot have a key', async () => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const answer = await server.get('/slip', {
      method: 'POST',
      headers: { ...MIRA, 'Idempotency-Key': 'n', ...headers },
      body: '{"id":70}\n',
    });
    expect(codeOf(answer)).toEqual([400, 'SVC127']);
    const long = `id,body\n${'71,x\n'.repeat(300_000)}`;
    const csv = await server.get('/slip', {
      method: 'POST',
      headers: { ...MIRA, 'Idempotency-Key': 'n', 'Content-Type': 'text/csv' },
      body: long,
    });
    expect(codeOf(csv)).toEqual([400, 'SVC127']);
  });
});

describe('switched off', () => {
  test.each([
    ['the option', { 'db-idempotency-schema': null }],
    ['the extension', { extensions: 'none' }],
    ['the extension in the dialect postgrest', { dialect: 'postgrest', extensions: 'none' }],
  ])('B54 without %s the header is ignored', async (_, options) => {
    const off = await start({ ...OPTIONS, ...options });
    for (let time = 0; time < 2; time += 1) {
      const answer = await send({ key: 'a b', body: [{ id: 80 }], headers: { Prefer: 'return=minimal' }, at: off });
      expect(answer.status).toBe(time === 0 ? 201 : 409);
    }
    await shop.sql('delete from api.slip where id = 80');
  });

  test('B54b the dialect postgrest can have it', async () => {
    const other = await start({ ...OPTIONS, dialect: 'postgrest', extensions: 'idempotency' });
    await send({ key: 'd', body: { id: 81 }, at: other });
    expect((await send({ key: 'd', body: { id: 81 }, at: other })).headers['idempotency-replayed']).toBe('true');
    expect(codeOf(await send({ key: 'd', body: { id: 82 }, at: other }))).toEqual([422, 'PGRST139']);
  });
});
