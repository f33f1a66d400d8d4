// Opens raw connections to a server and destroys them after each test.
import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';

export interface Sockets {
  /** Opens a socket that ignores errors. */
  open(port: number): Socket;
  destroy(): void;
}

/**
 * Call this after the helper that starts the servers: hooks run in reverse order, and clients must disconnect first.
 */
export function useSockets(): Sockets {
  const opened: Socket[] = [];
  const destroy = (): void => {
    for (const socket of opened.splice(0)) socket.destroy();
  };
  afterEach(destroy);
  return {
    open(port) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      opened.push(socket);
      return socket;
    },
    destroy,
  };
}
