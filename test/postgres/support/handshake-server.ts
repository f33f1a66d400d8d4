// A server on loopback that imitates the PostgreSQL handshake: with or without TLS, then the test's answer to the
// startup packet.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { serveSockets, type SocketServer } from '../../support/listen.ts';

export interface HandshakeServer extends SocketServer {
  /** Number of connections so far. */
  connections(): number;
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
  const greet = (socket: Socket): void => {
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
  const server = await serveSockets((socket) => {
    connections += 1;
    greet(socket);
  });
  return { ...server, connections: () => connections };
}
