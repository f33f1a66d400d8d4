// Connections that clients reset at any moment: each reset closes that connection and never stops the process.
import { once } from 'node:events';
import { type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from '../../support/server-process.ts';
import { useHarbor } from '../../support/harbor.ts';
import { startLibraryHost } from '../../support/library-host.ts';
import { SECRET, sendRequest } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';
import { openSocket } from '../../support/raw-client.ts';

const harbor = await useHarbor();

const host = await use(
  startLibraryHost({
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-config': 'false',
    'jwt-secret': SECRET,
    'server-host': '127.0.0.1',
    'server-port': '0',
    'admin-server-port': String(await findFreePort()),
  }),
);

const HEAD = 'Host: x\r\nContent-Type: application/json\r\n';

/** Bytes sent before the reset. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an upgrade', 'GET /live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['a method that Node.js does not know', 'BREW /live HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
  ['half a head', 'GET /live HTTP/1.1\r\nHo'],
  ['half a body', `POST /berth HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{"id"`],
  ['a rejected body', `POST /gone HTTP/1.1\r\n${HEAD}Content-Length: 100000\r\n\r\n{"id"`],
  ['a running statement', 'GET /rpc/nap_reading?seconds=0.2 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['many requests at once', 'GET /rpc/nap_reading?seconds=0.01 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)],
];

async function open(port: number): Promise<Socket> {
  const socket = openSocket(port);
  await once(socket, 'connect');
  return socket;
}

/** Resets at once, after the first byte of a response, and while the response is being written. */
async function resetAtEveryMoment(port: number, bytes: string): Promise<void> {
  for (const count of [1, 3, 10]) {
    const sockets = await Promise.all(Array.from({ length: count }, () => open(port)));
    for (const socket of sockets) socket.write(bytes, () => socket.resetAndDestroy());
  }
  const answered = await open(port);
  answered.write(bytes);
  setTimeout(() => answered.resetAndDestroy(), 300);
  await Promise.race([once(answered, 'data'), once(answered, 'close')]);
  answered.resetAndDestroy();
}

test.each(BEGINNINGS)('a reset after %s does not stop a process that uses the library', async (_, bytes) => {
  for (const port of [host.apiPort, host.adminPort]) await resetAtEveryMoment(port, bytes);
  const [berth, live] = await Promise.all([
    sendRequest({ host: '127.0.0.1', port: host.apiPort, path: '/berth?select=id&id=eq.1' }),
    sendRequest({ host: '127.0.0.1', port: host.adminPort, path: '/live' }),
  ]);
  expect([berth.text, live.status, host.hasEnded(), host.stderr()]).toEqual(['[{"id":1}]', 200, false, '']);
});
