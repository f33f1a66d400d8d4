// Checks whether a spawned program accepts connections on its port.
import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';

/** Throws the message of `why` if the program has exited. */
export function isListening(child: ChildProcess, port: number, why: () => string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(why());
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
