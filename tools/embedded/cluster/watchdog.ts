// Stops the database when this process is killed (SIGKILL, out of memory): a shell that reads from a pipe until the
// other end closes.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

export interface Watchdog {
  /** Call this when the database has stopped. Resolves once the shell has exited. */
  dismiss(): Promise<void>;
}

// A line dismisses the watchdog; end of file means this process died. Fast shutdown first, immediate after 1 second.
const SCRIPT = `
read -r line && exit 0
kill -INT "$1"
tries=0
while kill -0 "$1" && [ $tries -lt 10 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -QUIT "$1"
[ -z "$2" ] || { sleep 0.2; rm -rf "$2"; }
`;

/** @param folderToRemove removed when the database is stopped. Does nothing on Windows, which has no such shell. */
export function startWatchdog(pid: number, folderToRemove: string | undefined): Watchdog {
  if (process.platform === 'win32') return { dismiss: () => Promise.resolve() };
  // Detached, because Ctrl-C signals the whole process group, and the server stops its database itself.
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'rowhouse-watchdog', String(pid), folderToRemove ?? ''], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  shell.stdin.on('error', () => undefined);
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  const ended = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
    shell.once('error', () => resolve());
  });
  return {
    async dismiss() {
      // This process must outlive the shell, or the shell would be orphaned.
      shell.ref();
      shell.stdin.end('\n');
      await ended;
    },
  };
}
