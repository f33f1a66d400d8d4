// Ends the database when this process dies without a word (SIGKILL, out of memory): a shell that waits on a pipe and
// wakes when the pipe's other end is gone.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

export interface Watchdog {
  /** The database ended: nothing is left to watch. Resolves once the watcher is gone as well. */
  dismiss(): Promise<void>;
}

// A line read is the dismissal; the end of the pipe is our death. Fast shutdown first, the hard one after 1 second.
const SCRIPT = `
read -r line && exit 0
kill -INT "$1"
tries=0
while kill -0 "$1" && [ $tries -lt 10 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -QUIT "$1"
[ -z "$2" ] || { sleep 0.2; rm -rf "$2"; }
`;

/** `folderToRemove` goes together with the database (temporary clusters). Windows has no such shell: nothing watches. */
export function startWatchdog(pid: number, folderToRemove: string | undefined): Watchdog {
  if (process.platform === 'win32') return { dismiss: () => Promise.resolve() };
  // Detached: Ctrl-C goes to every process of the terminal's group, and the server ends its database itself.
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
      // This process must not end before the shell does: nobody else would wait for it.
      shell.ref();
      shell.stdin.end('\n');
      await ended;
    },
  };
}
