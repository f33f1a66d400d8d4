// Raw connections to a server.
import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';

/** Sends raw bytes and resolves with everything the server sends until it closes the connection. */
export function sendRaw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    for (const part of parts) socket.write(part);
  });
}

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
