// Response headers that scripts of other origins may read (`writing.md` §18.2).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, startLocalServer, type RequestParts } from '../../support/local-server.ts';

const harbor = await useHarbor();

await harbor.sql(`create function api.tagged() returns int language sql as $$ select 1 from set_config('response.headers',
    '[{"etag": "\\"a\\""}, {"Link": "</berth>; rel=next"}, {"X-Own": "1"}]', true) $$`);

const SPECIFIED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit';
const SCHEMAS = { 'db-schemas': 'api, archive' };

describe.each(['svc', 'postgrest'])('in the %s dialect', (dialect) => {
  let server: LocalServer;
  let ofSchemas: LocalServer;
  beforeAll(async () => {
    server = await startLocalServer(harbor, { dialect });
    ofSchemas = await startLocalServer(harbor, { dialect, ...SCHEMAS });
  });
  afterAll(async () => {
    await server?.stop();
    await ofSchemas?.stop();
  });

  async function exposedBy(
    target: string,
    { method = 'GET', headers }: RequestParts = {},
    at = server,
  ): Promise<unknown> {
    const answer = await at.get(target, { method, headers: { Origin: 'http://a.example', ...headers } });
    return answer.headers['access-control-expose-headers'];
  }

  test('W262 only the specified list, if the response has no further headers', async () => {
    expect(await exposedBy('/berth')).toBe(SPECIFIED);
    expect(await exposedBy('/nothing')).toBe(SPECIFIED);
  });

  test.each([
    ['Preference-Applied', '/berth', { headers: { Prefer: 'count=exact' } }],
    ['Proxy-Status, WWW-Authenticate', '/berth', { headers: { Authorization: 'Bearer a.b.c' } }],
    ['Proxy-Status', '/nothing', { method: 'HEAD' }],
    ['Link, ETag', '/rpc/tagged', {}],
    ['Warning', '/visit?select=id,quay:berth(name)&berth.id=eq.1', {}],
  ])('W262 the list contains further headers of a response that has them: %s', async (names, target, parts) => {
    expect(await exposedBy(target, parts)).toBe(`${SPECIFIED}, ${names}`);
  });

  test('W262 Content-Profile is listed if several schemas are served', async () => {
    expect(await exposedBy('/berth', {}, ofSchemas)).toBe(`${SPECIFIED}, Content-Profile`);
  });
});
