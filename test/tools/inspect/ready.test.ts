import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { checkReady } from '../../../tools/inspect/ready.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(status: number, host: string): Promise<number> {
  const server = createServer((request, response) => {
    response.writeHead(request.method === 'GET' && request.url === '/ready' ? status : 404).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening on a port');
  return address.port;
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
])('O57 a ready server on %s is reported as OK', async (host, shown) => {
  const port = await listen(200, host);
  expect(await checkReady({ adminServerHost: host, adminServerPort: port })).toEqual({
    stream: 'stdout',
    text: `OK: http://${shown}:${port}/ready`,
    exitCode: 0,
  });
});

test.each([503, 500, 301])('O58 a server that returns %s is reported as an error', async (status) => {
  const port = await listen(status, '127.0.0.1');
  expect(await checkReady({ adminServerHost: '127.0.0.1', adminServerPort: port })).toEqual({
    stream: 'stderr',
    text: `ERROR: http://127.0.0.1:${port}/ready`,
    exitCode: 1,
  });
});

test.each([
  ['localhost', 1, 'ERROR: connection refused to http://localhost:1/ready'],
  ['localhost', -1, 'ERROR: invalid url - http://localhost:-1/ready'],
  ['localhost', 65_536, 'ERROR: invalid url - http://localhost:65536/ready'],
  ['a b', 80, 'ERROR: invalid url - http://a b:80/ready'],
  ['localhost', undefined, 'ERROR: Admin server is not running. Please check admin-server-port config.'],
  ['!4', undefined, 'ERROR: Admin server is not running. Please check admin-server-port config.'],
  ...['*', '*4', '!4', '*6', '!6'].map(
    (host) =>
      [
        host,
        1,
        `ERROR: The \`--ready\` flag cannot be used when server-host is configured as "${host}". Please update your server-host config to "localhost".`,
      ] as const,
  ),
] as const)('O59 host %s and port %s are reported as an error', async (adminServerHost, adminServerPort, text) => {
  expect(await checkReady({ adminServerHost, adminServerPort })).toEqual({ stream: 'stderr', text, exitCode: 1 });
});
