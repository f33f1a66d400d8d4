// Starts the hand-written endpoint in a separate process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchServer } from './bench-server.ts';

export async function startHandwrittenEndpoint(
  databaseUri: string,
  mode: 'plain' | 'transaction',
): Promise<BenchServer> {
  const child = fork(fileURLToPath(new URL('handwritten-endpoint.js', import.meta.url)), [databaseUri, mode]);
  const [port]: unknown[] = await once(child, 'message');
  if (typeof port !== 'number' || child.pid === undefined) throw new Error('the endpoint could not be started');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { port, pid: child.pid, stop };
}
