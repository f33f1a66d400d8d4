// A TCP proxy on loopback that records who sends: `>` for the client, `<` for the server; consecutive sends count once.
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { portOf } from '../../support/port-of.ts';

export interface RecordingProxy {
  readonly port: number;
  /** Returns the sends since the last call, in order; `chunks` counts the client's individual writes. */
  takeRecord(): { readonly turns: string; readonly clientChunks: number };
  close(): Promise<void>;
}

export async function startRecordingProxy(target: { host: string; port: number }): Promise<RecordingProxy> {
  let record: ('>' | '<')[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    client.on('data', (chunk) => {
      record.push('>');
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      record.push('<');
      client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    takeRecord: () => {
      const taken = record;
      record = [];
      return {
        turns: taken.filter((side, index) => side !== taken[index - 1]).join(''),
        clientChunks: taken.filter((side) => side === '>').length,
      };
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
