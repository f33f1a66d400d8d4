// Checks over a separate socket whether a database server answers. Needs no password and uses no connection slot.
import { createConnection } from 'node:net';
import { TLS_REQUEST } from '../wire/control-messages.ts';

export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

/** Error codes of an unreachable host. Other errors come from the server or are local failures. */
const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
]);

/** Resolves to false if the server does not answer within the timeout. */
export function canReach(peer: PeerAddress, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(peer);
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (isReachable: boolean): void => {
      clearTimeout(timer);
      resolve(isReachable);
      socket.destroy();
    };
    socket.on('error', (error: NodeJS.ErrnoException) => settle(!UNREACHABLE_CODES.has(error.code ?? '')));
    socket.on('data', () => settle(true));
    socket.on('end', () => settle(true));
    socket.write(TLS_REQUEST);
  });
}
