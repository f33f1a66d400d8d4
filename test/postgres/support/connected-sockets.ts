// A socket that reads like those of the driver, connected to a peer from which the test sends.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ReadingSocket } from '../../../src/postgres/connect/reading-socket.ts';

export interface ConnectedSockets {
  readonly socket: ReadingSocket;
  readonly peer: Socket;
  readonly close: () => Promise<void>;
}

export async function connectSockets(): Promise<ConnectedSockets> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = new ReadingSocket();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [peer] = await accepted;
  const close = async (): Promise<void> => {
    socket.destroy();
    peer.destroy();
    server.close();
    await once(server, 'close');
  };
  return { socket, peer, close };
}
