import type { Server } from 'node:net';

/** Returns the port of a server that listens on TCP. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on TCP');
  return address.port;
}
