// Raw connections to a server.
import { connect, type Socket } from 'node:net';
import { whenOver } from './use.ts';

/** Opens a connection that ignores errors, and is destroyed after the test. */
export function openSocket(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  whenOver(() => socket.destroy());
  return socket;
}

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
