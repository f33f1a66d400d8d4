// Requests pipelined behind the last response of a connection: the client gets that response, and none of the later
// requests run, because no client would receive their responses.
import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';
import { openSocket } from '../../support/raw-client.ts';

const harbor = await useHarbor();

await harbor.sql(`grant delete on api.berth to ${harbor.anon}`);
// One connection runs requests in the order of their arrival.
const server = await use(startLocalServer(harbor, { 'db-pool': 1 }));
// Warm up, so that a further request would run at once.
await server.get('/berth?id=eq.0', { method: 'DELETE' });
beforeEach(() => harbor.sql(`insert into api.berth values (9, 'East') on conflict do nothing`));

const BEHIND = 'DELETE /berth?id=eq.9 HTTP/1.1\r\nHost: x\r\n\r\n';
const BODY = 'x'.repeat(100_000);
const UPLOAD = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/** Sends `rest` once the response to `first` has begun to arrive. @returns the statuses of all responses */
async function ask(first: string, rest: string): Promise<readonly string[]> {
  const socket = openSocket(server.port);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(first);
  if (rest !== '') {
    await once(socket, 'data');
    socket.write(rest);
  }
  await closed;
  return text.match(/(?<=HTTP\/1\.1 )\d+/gu) ?? [];
}

test.each([
  ['too many headers', `GET /berth HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(300)}\r\n${BEHIND}`, '', '431'],
  ['two Host headers', `GET /berth HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${BEHIND}`, '', '400'],
  ['Connection: close', `GET /berth HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n${BEHIND}`, '', '200'],
  ['HTTP/1.0', `GET /berth HTTP/1.0\r\n\r\n${BEHIND}`, '', '200'],
  ['a body rejected before it arrived', UPLOAD, `${BODY}${BEHIND}`, '404'],
])('%s closes the connection after its response: no further request runs', async (_, first, rest, status) => {
  expect(await ask(first, rest)).toStrictEqual([status]);
  expect(await server.json('/berth?id=eq.9&select=id')).toStrictEqual([{ id: 9 }]);
});
