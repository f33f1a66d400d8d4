// Asks the server to cancel the statement that runs on a connection, over a separate socket.
// https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
import { createConnection } from 'node:net';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelKey } from './driver.ts';
import { isSocketDirectory, socketPath, type HostTarget } from './host-targets.ts';
import { encodeCancelRequest } from '../wire/control-messages.ts';

/** The error for a request whose client disconnects before its statements are sent. */
export const REQUEST_CANCELLED: ApiError = {
  kind: 'database',
  report: {
    sqlstate: '57014',
    message: 'the request was cancelled before its statements were sent',
    detail: undefined,
    hint: undefined,
  },
};

/**
 * Resolves to true when the server closes the socket, which it does after signaling the session: from then on the
 * request cannot hit a later statement. Resolves to false if it is unknown whether the server received the request.
 */
export function sendCancelRequest(target: HostTarget, key: CancelKey, timeoutMs: number): Promise<boolean> {
  const address = isSocketDirectory(target)
    ? { path: socketPath(target) }
    : { host: target.address, port: target.port };
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const settle = (isReceived: boolean): void => {
      resolve(isReceived);
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => settle(false));
    socket.on('error', () => settle(false));
    socket.on('end', () => settle(true));
    socket.on('close', () => settle(false));
    socket.resume();
    socket.write(encodeCancelRequest(key.processId, key.secretKey));
  });
}
