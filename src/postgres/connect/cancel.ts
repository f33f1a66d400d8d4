// In: a connection's address and cancel key. Out: its running statement is asked to stop, over a socket of its own.
// https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
import { createConnection } from 'node:net';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelKey } from './driver.ts';
import { isSocketDirectory, socketPath, type HostTarget } from './host-targets.ts';
import { encodeCancelRequest } from '../wire/control-messages.ts';

/** Of a request whose client has gone before its statements were sent. */
export const REQUEST_CANCELLED: ApiError = {
  kind: 'database',
  report: {
    sqlstate: '57014',
    message: 'the request was withdrawn before its statements were sent',
    detail: undefined,
    hint: undefined,
  },
};

/**
 * What is needed of an `AbortSignal`, so that one made for every request may be cheaper: making and observing a real one
 * costs a tenth of a small request.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface CancelRequest {
  readonly target: HostTarget;
  readonly key: CancelKey;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/**
 * The server closes this socket after it has signalled the session, so from `true` on the request can hit no later
 * statement. `false`: unknown whether it was or will be received.
 */
export function sendCancelRequest({ target, key, timeoutMs }: CancelRequest): Promise<boolean> {
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
