// Servers of a test on loopback.
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Returns the port, which the system chooses. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

/** Returns the port of a server that listens on TCP. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on TCP');
  return address.port;
}

export interface SocketServer {
  readonly port: number;
  /** Destroys the open connections. */
  close(): Promise<void>;
}

/** @param greet called with each connection, whose errors are ignored */
export async function serveSockets(greet: (socket: Socket) => void): Promise<SocketServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, close };
}
