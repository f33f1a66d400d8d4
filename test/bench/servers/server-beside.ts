// Runs another server of the same grammar, given by its command, beside the measured one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../support/server-process.ts';
import { awaitServer, type BenchServer, serverOptions } from './bench-server.ts';

/** @param command a program and its arguments; `{config}` is replaced with the path of a configuration file */
export async function startServerBeside(command: string, databaseUri: string): Promise<BenchServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-beside-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    const config = path.join(folder, 'server.conf');
    writeFileSync(config, renderConfig(serverOptions({ databaseUri, port, adminPort })), { mode: 0o600 });
    const [program = '', ...words] = splitCommand(command, config);
    const env = { PATH: process.env['PATH'] };
    const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const server = await awaitServer(child, { port, adminPort });
    return { ...server, stop: () => server.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Splits at spaces. A shell would be a process of its own, and the CPU time would be the shell's. */
export function splitCommand(command: string, config: string): readonly string[] {
  const words = command.split(' ').filter((word) => word !== '');
  if (!words.some((word) => word.includes('{config}'))) throw new Error('the command needs {config}');
  return words.map((word) => word.replaceAll('{config}', config));
}

/** Strings in JSON are strings in the grammar of the file, too. */
function renderConfig(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join('');
}
