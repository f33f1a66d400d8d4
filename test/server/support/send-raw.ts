// Sends raw bytes to a server and returns everything it sends until it closes the connection.
import { connect } from 'node:net';

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
