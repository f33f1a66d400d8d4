// Who may reach the endpoint for agents: tokens and their audience, web pages, the metadata of the resource.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type Answer, bearer, type LocalServer, type Options, useServers } from '../support/local-server.ts';
import { connectHttp } from './agents.ts';

const harbor = await useHarbor();
const start = useServers(harbor);
const ISSUER = 'https://login.example.com/';

function launch(options: Options = {}): Promise<LocalServer> {
  return start({ 'mcp-path': '/agents/mcp', ...options });
}

/** Lists the tools with the older revision, which needs no further headers. */
function list(server: LocalServer, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return server.get('/agents/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  });
}

async function statusOf(server: LocalServer, claims: Readonly<Record<string, unknown>>): Promise<number> {
  return (await list(server, bearer({ role: harbor.user, ...claims }))).status;
}

test('B83 the metadata names the issuer, and 401 names the metadata', async () => {
  const server = await launch({ 'jwt-issuer': ISSUER, 'db-anon-role': null });
  const base = `http://127.0.0.1:${server.port}`;
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/agents/mcp']) {
    const { status, headers, text } = await server.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(text)).toEqual({
      resource: `${base}/agents/mcp`,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    });
  }
  const url = `${base}/.well-known/oauth-protected-resource/agents/mcp`;
  const anonymous = await list(server);
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers['www-authenticate']).toBe(`Bearer resource_metadata="${url}"`);
  const expired = await list(server, bearer({ role: harbor.user, iss: ISSUER, aud: 'x', exp: 1 }));
  expect(expired.status).toBe(401);
  expect(expired.headers['www-authenticate']).toBe(
    `Bearer error="invalid_token", error_description="JWT expired", resource_metadata="${url}"`,
  );
});

test('B83b the public URL is the resource', async () => {
  const server = await launch({ 'jwt-issuer': ISSUER, 'openapi-server-proxy-uri': 'https://api.example.com/v1/' });
  expect(await server.json('/.well-known/oauth-protected-resource')).toMatchObject({
    resource: 'https://api.example.com/v1/agents/mcp',
  });
  const { headers } = await list(server, { Authorization: 'Bearer a.b.c' });
  expect(headers['www-authenticate']).toContain(
    'resource_metadata="https://api.example.com/v1/.well-known/oauth-protected-resource/agents/mcp"',
  );
});

test('B83c without an issuer there is no metadata', async () => {
  const server = await launch({ 'db-anon-role': null });
  expect((await server.get('/.well-known/oauth-protected-resource')).status).toBe(401);
  expect((await list(server)).headers['www-authenticate']).toBe('Bearer');
});

test('B83d the audience of a token is jwt-aud', async () => {
  const server = await launch({ 'jwt-aud': 'shop', 'jwt-issuer': ISSUER });
  expect(await statusOf(server, { iss: ISSUER, aud: 'shop' })).toBe(200);
  expect(await statusOf(server, { iss: ISSUER, aud: ['other', 'shop'] })).toBe(200);
  expect(await statusOf(server, { iss: ISSUER, aud: 'other' })).toBe(401);
  // An issuer serves many: its tokens have to say whom they are for.
  expect(await statusOf(server, { iss: ISSUER })).toBe(401);
  const { status, text } = await list(server, bearer({ role: harbor.user, iss: ISSUER }));
  expect([status, JSON.parse(text)]).toMatchObject([401, { code: 'SVC303', message: 'JWT not in audience' }]);
});

test('B83e without jwt-aud, the audience is the URL of the endpoint, if the operator vouches for it', async () => {
  const server = await launch({ 'openapi-server-proxy-uri': 'https://api.example.com' });
  expect(await statusOf(server, {})).toBe(200);
  expect(await statusOf(server, { aud: 'https://api.example.com/agents/mcp' })).toBe(200);
  expect(await statusOf(server, { aud: 'https://api.example.com' })).toBe(401);
  const unknown = await launch();
  const forged = { ...bearer({ role: harbor.user, aud: 'http://evil.example/agents/mcp' }), Host: 'evil.example' };
  expect((await list(unknown, forged)).status).toBe(401);
  const limited = await launch({ 'server-allowed-hosts': '127.0.0.1' });
  expect(await statusOf(limited, { aud: `http://127.0.0.1:${limited.port}/agents/mcp` })).toBe(200);
});

test('B83f pages are rejected unless an option names their origin', async () => {
  const server = await launch({ 'server-cors-allowed-origins': 'https://app.example.com' });
  expect((await list(server, { Origin: 'https://app.example.com' })).status).toBe(200);
  const { status, text } = await list(server, { Origin: 'https://evil.example' });
  expect([status, JSON.parse(text)]).toMatchObject([403, { code: 'SVC136', details: 'Origin: https://evil.example' }]);
  // The host of the page may resolve to this machine.
  const port = String(server.port);
  expect((await list(server, { Origin: `http://evil.example:${port}`, Host: `evil.example:${port}` })).status).toBe(
    403,
  );
  expect((await list(server, { Origin: 'null' })).status).toBe(403);
  expect((await list(server, { Origin: 'http://localhost:5173', Host: `localhost:${port}` })).status).toBe(200);
  expect((await list(server, { Origin: 'http://localhost:5173', Host: 'api.example.com' })).status).toBe(403);
});

test('B83g server-allowed-hosts covers the host as well', async () => {
  const server = await launch({ 'server-allowed-hosts': 'localhost, 127.0.0.1' });
  expect((await list(server)).status).toBe(200);
  expect((await list(server, { Host: 'evil.example' })).status).toBe(403);
  expect((await list(server, { Origin: 'http://evil.example' })).status).toBe(403);
});

test('B83h the official client reports a missing token', async () => {
  const server = await launch({ 'db-anon-role': null, 'jwt-issuer': ISSUER });
  await expect(connectHttp(`http://127.0.0.1:${server.port}/agents/mcp`)).rejects.toThrow(/401|[Uu]nauthorized/u);
});

test('B83i a token is rejected before a long body is read', async () => {
  const server = await launch();
  const { status } = await server.get('/agents/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer a.b.c' },
    body: ' '.repeat(200_000),
  });
  expect(status).toBe(401);
  const long = await server.get('/agents/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: ' '.repeat(262_145),
  });
  expect([long.status, JSON.parse(long.text)]).toMatchObject([
    413,
    { code: 'SVC129', details: 'Requests of agents have up to 262144 bytes' },
  ]);
  const deep = await server.get('/agents/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '['.repeat(100_000),
  });
  expect([deep.status, JSON.parse(deep.text)]).toMatchObject([400, { code: 'SVC129' }]);
  expect((await server.get('/agents/mcp', { method: 'PUT', body: '{}' })).status).toBe(405);
});

test('B54 without the extension, the path is an ordinary one', async () => {
  const off = await launch({ extensions: 'none', 'jwt-issuer': ISSUER });
  const unset = await start({ 'jwt-issuer': ISSUER });
  for (const path of ['/agents/mcp', '/.well-known/oauth-protected-resource']) {
    const [a, b] = await Promise.all([off.get(path, { method: 'POST' }), unset.get(path, { method: 'POST' })]);
    expect([a.status, a.text]).toEqual([b.status, b.text]);
    expect(a.status).toBe(404);
  }
  expect(off.count(/^mcp-path has no effect, because the extension mcp is off/u)).toBe(1);
});

test('B54b in the dialect postgrest, the extension is enough', async () => {
  const server = await launch({ dialect: 'postgrest', extensions: 'mcp' });
  const { rows } = await connectHttp(`http://127.0.0.1:${server.port}/agents/mcp`);
  expect(await rows({ relation: 'berth', select: ['name'], limit: 1 })).toEqual([{ name: 'North' }]);
});

test('B49 tools describe several schemas, whatever the root of the API is', async () => {
  const server = await launch({ 'db-schemas': 'api,archive', 'openapi-mode': 'disabled', 'db-root-spec': 'api.who' });
  const { client, call } = await connectHttp(`http://127.0.0.1:${server.port}/agents/mcp`);
  const { tools } = await client.listTools();
  const schema = { type: 'string', enum: ['api', 'archive'], description: 'Schema to use (default: api)' };
  expect(tools.find(({ name }) => name === 'read_rows')?.inputSchema.properties?.['schema']).toEqual(schema);
  const { content } = await call('list_relations', { schema: 'archive' });
  expect(content.data).toMatchObject({ schema: 'archive', entries: [{ name: 'old_visit' }] });
  expect((await call('read_rows', { schema: 'archive', relation: 'old_visit' })).content.data).toEqual({ rows: [] });
});
