// The clients of `npm run bench -- streams`, in a separate process that is ready before the measurement. Each requests one
// body, reads it at full speed or at a rate, and discards it. They start on a message and report the results in
// another. Usage: stream-peer.js PORT PATH ACCEPT COUNT BYTES-PER-SECOND
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface PeerReport {
  /** Size of head and body. */
  readonly bytes: number;
  /** Milliseconds since the request. */
  readonly firstByte: number;
  readonly end: number;
  /** The status was 200, and the body is complete. */
  readonly isWhole: boolean;
}

const [port, path, accept, count, rateText] = process.argv.slice(2);
/** 0: unlimited. */
const rate = Number(rateText);

process.send?.('ready');
await once(process, 'message');
process.send?.(await Promise.all(Array.from({ length: Number(count) }, read)));
process.disconnect();

async function read(): Promise<PeerReport> {
  const start = performance.now();
  let [bytes, firstByte, head, tail, isResting] = [0, 0, '', '', false];
  const socket = connect(Number(port), '127.0.0.1');
  const rest = async (milliseconds: number): Promise<void> => {
    isResting = true;
    socket.pause();
    await setTimeout(milliseconds);
    isResting = false;
    socket.resume();
  };
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`);
  socket.on('data', (chunk: Buffer) => {
    if (bytes === 0) {
      firstByte = performance.now() - start;
      head = chunk.toString('latin1', 0, 4096);
    }
    bytes += chunk.length;
    tail = chunk.length >= 5 ? chunk.toString('latin1', chunk.length - 5) : (tail + chunk.toString('latin1')).slice(-5);
    const ahead = rate === 0 ? 0 : (bytes / rate) * 1000 - (performance.now() - start);
    if (ahead > 1 && !isResting) void rest(ahead);
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  const [, length] = /^content-length: (\d+)\r$/imu.exec(head) ?? [];
  const headLength = head.indexOf('\r\n\r\n') + 4;
  const isEnded = length === undefined ? tail === '0\r\n\r\n' : bytes === headLength + Number(length);
  return { bytes, firstByte, end: performance.now() - start, isWhole: head.startsWith('HTTP/1.1 200') && isEnded };
}
