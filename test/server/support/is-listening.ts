// Whether a program that was started answers on its port.
import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';

/** Throws where the program has ended. @param why what is told then */
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
