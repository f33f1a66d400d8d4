// In: the address of a database server. Out: whether anybody is there who answers, asked over a socket of its own. Takes
// no place among the server's connections and needs no password.
import { createConnection } from 'node:net';
import { TLS_REQUEST } from './wire/encoder.ts';

export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

/** What the system says of a host that is gone; other errors are answers, or faults of our own. */
const GONE: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT']);

/** @param timeoutMs milliseconds; `false` without an answer in that time */
export function canReach(peer: PeerAddress, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(peer);
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (isThere: boolean): void => {
      clearTimeout(timer);
      resolve(isThere);
      socket.destroy();
    };
    socket.on('error', (error: NodeJS.ErrnoException) => settle(!GONE.has(error.code ?? '')));
    socket.on('data', () => settle(true));
    socket.on('end', () => settle(true));
    socket.write(TLS_REQUEST);
  });
}
