// A TCP proxy on loopback that records who sends: `>` for the client, `<` for the server; consecutive sends count once.
import { createConnection } from 'node:net';
import { serveSockets, type SocketServer } from '../../support/listen.ts';

export interface RecordingProxy extends SocketServer {
  /** Returns the sends since the last call, in order; `chunks` counts the client's individual writes. */
  takeRecord(): { readonly turns: string; readonly clientChunks: number };
}

export async function startRecordingProxy(target: { host: string; port: number }): Promise<RecordingProxy> {
  let record: ('>' | '<')[] = [];
  const server = await serveSockets((client) => {
    const upstream = createConnection({ ...target, noDelay: true }).on('error', () => {});
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
  return {
    ...server,
    takeRecord: () => {
      const taken = record;
      record = [];
      return {
        turns: taken.filter((side, index) => side !== taken[index - 1]).join(''),
        clientChunks: taken.filter((side) => side === '>').length,
      };
    },
  };
}
