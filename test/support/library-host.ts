// Runs the library in a separate process that catches none of its exceptions.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { toProgramOptions } from './local-server.ts';
import { until } from './until.ts';

const LIBRARY = new URL('../../dist/index.js', import.meta.url).href;
const FOLDER = fileURLToPath(new URL('../../', import.meta.url));

export interface LibraryHost {
  readonly apiPort: number;
  readonly adminPort: number;
  /** Everything written to stderr so far. */
  readonly stderr: () => string;
  readonly hasEnded: () => boolean;
  stop(): Promise<void>;
}

/** @param options configuration options by name */
export async function startLibraryHost(options: Readonly<Record<string, string>>): Promise<LibraryHost> {
  const program = `
    import { startServer } from ${JSON.stringify(LIBRARY)};
    const output = { writeOut() {}, writeError() {} };
    const server = await startServer({ options: ${JSON.stringify(toProgramOptions(options))}, environment: {}, output });
    console.log(server.apiAddress, server.adminAddress);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: FOLDER, stdio: 'pipe' });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const line = await until(
    () => {
      if (hasEnded()) throw new Error(written.stderr);
      return written.stdout.includes('\n') && written.stdout;
    },
    { seconds: 30, why: () => written.stderr },
  );
  const [apiPort = 0, adminPort = 0] = line.split(' ').map((address) => Number(/\d+\s*$/u.exec(address)?.[0]));
  const stop = async (): Promise<void> => {
    if (hasEnded()) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { apiPort, adminPort, stderr: () => written.stderr, hasEnded, stop };
}
