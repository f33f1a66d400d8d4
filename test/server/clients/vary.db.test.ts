// The Vary header: which request headers a response depends on (`writing.md` §18.3).
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, type Options, post, startLocalServer } from '../../support/local-server.ts';

const harbor = await useHarbor();

await harbor.sql(`create function api.own_vary() returns int language sql as
    $$ select 1 from set_config('response.headers', '[{"Vary": "X-Own"}]', true) $$`);

async function withServer(options: Options, use: (server: LocalServer) => Promise<void>): Promise<void> {
  const server = await startLocalServer(harbor, { 'db-plan-enabled': true, 'db-tx-end': 'rollback', ...options });
  await use(server).finally(() => server.stop());
}

const ORIGINS = { 'server-cors-allowed-origins': 'http://a.example' };
const SCHEMAS = { 'db-schemas': 'api, archive' };
const POSTGREST = { dialect: 'postgrest' };
const FIRST = 'Accept, Prefer, Range';

test.each<[string, Options, string]>([
  ['by Authorization', {}, `${FIRST}, Authorization`],
  ['by schema if there are several', SCHEMAS, `${FIRST}, Authorization, Accept-Profile`],
  ['by origin if origins are listed', ORIGINS, `${FIRST}, Authorization, Origin`],
  ['by all of them', { ...SCHEMAS, ...ORIGINS }, `${FIRST}, Authorization, Accept-Profile, Origin`],
  ['as PostgREST does in the postgrest dialect', { ...POSTGREST, ...SCHEMAS }, FIRST],
  ['by listed origin in the postgrest dialect', { ...POSTGREST, ...SCHEMAS, ...ORIGINS }, `${FIRST}, Origin`],
])('W264 every response varies %s', async (_name, options, vary) => {
  await withServer(options, async (server) => {
    const vendor = options['dialect'] === 'postgrest' ? 'pgrst' : 'svc';
    const answers = await Promise.all([
      server.get('/berth?id=eq.1'),
      server.get('/berth?limit=0', { method: 'HEAD' }),
      server.get('/berth', { ...post({ id: 7, name: 'x' }) }),
      server.get('/rpc/who'),
      server.get('/berth', { headers: { Accept: `application/vnd.${vendor}.plan` } }),
      server.get('/'),
      server.get('/berth', { method: 'OPTIONS' }),
      server.get('/berth?offset=9', { headers: { Prefer: 'count=exact' } }),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers['vary']])).toEqual(
      [200, 200, 201, 200, 200, 200, 200, 416].map((status) => [status, vary]),
    );
    expect((await server.get('/rpc/own_vary', post({}))).headers['vary']).toBe('X-Own');
  });
});

test('W264 errors and preflights have no Vary header', async () => {
  await withServer({ ...SCHEMAS, ...ORIGINS }, async (server) => {
    const preflight = { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' };
    for (const answer of [
      await server.get('/nothing'),
      await server.get('/berth?id=eq.x'),
      await server.get('/berth', { method: 'OPTIONS', headers: preflight }),
    ])
      expect(answer.headers).not.toHaveProperty('vary');
  });
});
