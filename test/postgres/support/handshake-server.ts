// A server on loopback that imitates the PostgreSQL handshake: with or without TLS, then the test's answer to the
// startup packet.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { portOf } from '../../support/port-of.ts';

export interface HandshakeServer {
  readonly port: number;
  /** Number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface Handshake {
  readonly hasTls: boolean;
  /** Called with every startup packet and password. */
  answer(socket: Socket, packet: Buffer): void;
}

const TLS_REQUEST = 80877103;

export const CERTIFICATE_FILE: string = new URL('tls-certificate.pem', import.meta.url).pathname;
const KEY_FILE = new URL('tls-key.pem', import.meta.url).pathname;

export async function startHandshakeServer(handshake: Handshake): Promise<HandshakeServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const greet = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (packet: Buffer) => {
      if (packet.length !== 8 || packet.readInt32BE(4) !== TLS_REQUEST) return handshake.answer(socket, packet);
      if (!handshake.hasTls) return socket.write('N');
      socket.removeAllListeners('data');
      socket.write('S');
      const secureContext = createSecureContext({ key: readFileSync(KEY_FILE), cert: readFileSync(CERTIFICATE_FILE) });
      return greet(new TLSSocket(socket, { isServer: true, secureContext }));
    });
  };
  const server = createServer((socket) => {
    connections += 1;
    greet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
