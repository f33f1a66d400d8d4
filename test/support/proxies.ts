// Runs private nginx and HAProxy servers in front of two instances, with the files of `deploy/`, if they are installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort, type ServerProcess } from './server-process.ts';
import { isListening } from './is-listening.ts';
import { adaptDeployFile } from './deploy-file.ts';
import { until } from './until.ts';

export type Instances = readonly [ServerProcess, ServerProcess];

export interface Proxy {
  readonly port: number;
  /** Resolves once the instance receives no more requests. Does nothing if the proxy cannot drain. */
  drain(instance: 0 | 1): Promise<void>;
  /** Puts the instance back into rotation. */
  restore(instance: 0 | 1): Promise<void>;
  /** Returns the errors that the proxy has reported, to explain a failure. */
  readErrors(): Promise<string>;
  stop(): Promise<void>;
}

export interface ProxyKind {
  readonly name: string;
  readonly isInstalled: boolean;
  readonly start: (instances: Instances) => Promise<Proxy>;
}

export const PROXIES: readonly ProxyKind[] = [
  { name: 'nginx', isInstalled: isInstalled('nginx', '-v'), start: (instances) => startNginx(instances) },
  { name: 'HAProxy', isInstalled: isInstalled('haproxy', '-v'), start: startHaproxy },
];

function isInstalled(program: string, flag: string): boolean {
  return spawnSync(program, [flag]).error === undefined;
}

/** @param pem file with a certificate and its key: for HTTP/2 with TLS, instead of HTTP/1.1 */
export async function startNginx(
  [one, two]: readonly [Pick<ServerProcess, 'port'>, Pick<ServerProcess, 'port'>],
  pem?: string,
): Promise<Proxy> {
  const [folder, port] = [await mkdtemp(path.join(os.tmpdir(), 'rowhouse-nginx-')), await findFreePort()];
  const recipe = adaptDeployFile('nginx.conf', {
    '127.0.0.1:3000': `127.0.0.1:${one.port}`,
    '127.0.0.1:3010': `127.0.0.1:${two.port}`,
    'listen 443 ssl;': `listen 127.0.0.1:${port}${pem === undefined ? '' : ' ssl http2'};`,
    'ssl_certificate     /etc/ssl/api.example.com.pem;': pem === undefined ? '' : `ssl_certificate ${pem};`,
    'ssl_certificate_key /etc/ssl/api.example.com.key;': pem === undefined ? '' : `ssl_certificate_key ${pem};`,
  });
  await writeFile(path.join(folder, 'rowhouse.conf'), recipe);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `daemon off; ${user} worker_processes 2; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${temporary.join(' ')} include ${folder}/rowhouse.conf; }
`;
  await writeFile(path.join(folder, 'nginx.conf'), main);
  const args = ['-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`];
  const proxy = await run('nginx', args, { folder, port });
  const noop = (): Promise<void> => Promise.resolve();
  return { ...proxy, drain: noop, restore: noop, readErrors: () => readFile(`${folder}/error.log`, 'utf8') };
}

async function startHaproxy([one, two]: Instances): Promise<Proxy> {
  const [folder, port] = [await mkdtemp(path.join(os.tmpdir(), 'rowhouse-haproxy-')), await findFreePort()];
  const socket = path.join(folder, 'admin.sock');
  const recipe = adaptDeployFile('haproxy.cfg', {
    '/run/haproxy/admin.sock': socket,
    '127.0.0.1:3000 check port 3001': `127.0.0.1:${one.port} check port ${one.adminPort}`,
    '127.0.0.1:3010 check port 3011': `127.0.0.1:${two.port} check port ${two.adminPort}`,
    ':443 ssl crt /etc/haproxy/api.example.com.pem': `127.0.0.1:${port}`,
  });
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, recipe);
  const proxy = await run('haproxy', ['-db', '-f', file], { folder, port });
  const names = ['one', 'two'] as const;
  return {
    ...proxy,
    async drain(instance) {
      await runCommand(socket, `set server rowhouse/${names[instance]} state drain`);
      await until(async () => (await readServer(socket, names[instance])).requests === 0);
    },
    async restore(instance) {
      await runCommand(socket, `set server rowhouse/${names[instance]} state ready`);
      await until(async () => (await readServer(socket, names[instance])).isUp);
    },
  };
}

async function run(
  program: string,
  args: readonly string[],
  { folder, port }: { readonly folder: string; readonly port: number },
): Promise<Pick<Proxy, 'port' | 'readErrors' | 'stop'>> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const why = (): string => `${program} does not listen: ${errors}`;
  await until(() => isListening(child, port, why), { why });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true });
  };
  return { port, stop, readErrors: () => Promise.resolve(errors) };
}

/** Sends a command to HAProxy's Runtime API and returns its output. */
async function runCommand(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

/** Columns of `show stat`: https://docs.haproxy.org/2.6/management.html#9.1 */
async function readServer(
  socket: string,
  name: string,
): Promise<{ readonly requests: number; readonly isUp: boolean }> {
  const rows = (await runCommand(socket, 'show stat')).split('\n').map((line) => line.split(','));
  const row = rows.find(([backend, server]) => backend === 'rowhouse' && server === name);
  return { requests: Number(row?.[4]), isUp: row?.[17] === 'UP' };
}
