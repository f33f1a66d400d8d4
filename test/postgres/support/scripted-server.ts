// A server on loopback that replays one prepared answer for every Sync and records what it receives.
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { Session } from '../../../src/postgres/session/session.ts';
import { serveSockets, type SocketServer } from '../../support/listen.ts';

export type Answer = Uint8Array | ((socket: Socket) => unknown);

export interface ScriptedServer extends SocketServer {
  /** Type bytes of the client's messages, for example `PBEPBES`. */
  received(): string;
}

export async function startScriptedServer(answers: readonly Answer[]): Promise<ScriptedServer> {
  const remaining = [...answers];
  let received = '';
  const server = await serveSockets((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 5 && pending.length >= 1 + pending.readInt32BE(1)) {
        const type = pending.toString('latin1', 0, 1);
        received += type;
        pending = pending.subarray(1 + pending.readInt32BE(1));
        const answer = type === 'S' ? remaining.shift() : undefined;
        if (typeof answer === 'function') answer(socket);
        else if (answer !== undefined) socket.write(answer);
      }
    });
  });
  return { ...server, received: () => received };
}

/** Returns a session as if the driver had authenticated it. */
export async function openScriptedSession(server: ScriptedServer, isPreparing = true): Promise<Session> {
  const socket = createConnection(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay(true);
  const target = { host: '127.0.0.1', address: '127.0.0.1', port: server.port };
  return new Session({
    socket,
    cancelKey: undefined,
    target,
    isPreparing,
    isDiscardingPlans: false,
    liveness: { intervalMs: 60_000, timeoutMs: 60_000 },
  });
}
