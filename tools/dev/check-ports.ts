// Whether the ports of `rowhouse dev` are free; if not, by whom they are taken, and which ones are.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { tryOr } from '../support/thrown.ts';

type Ports = Pick<AppConfig, 'serverHost' | 'serverPort' | 'serverUnixSocket' | 'adminServerHost' | 'adminServerPort'>;

const LAST_PORT = 65_535;

/** @returns a message for the user; undefined if the ports are free, or cannot be examined */
export async function findTakenPort(config: Ports): Promise<string | undefined> {
  const { serverHost, serverPort, serverUnixSocket, adminServerHost, adminServerPort } = config;
  const places = [
    ...(serverUnixSocket === undefined ? [{ option: 'server-port', host: serverHost, port: serverPort }] : []),
    ...(adminServerPort === undefined
      ? []
      : [{ option: 'admin-server-port', host: adminServerHost, port: adminServerPort }]),
  ].filter(({ port }) => port !== 0);
  const taken = [];
  for (const place of places) if (!(await isFree(place.host, place.port))) taken.push(place);
  if (taken.length === 0) return undefined;
  const flags: string[] = [];
  let last = Math.max(...places.map(({ port }) => port));
  for (const { option, host } of taken) {
    last = await findFree(host, last + 1);
    flags.push(`--${option} ${last}`);
  }
  const lines = taken.map(({ port }) => `Port ${port} is in use${describeHolder(port)}.`);
  return `${lines.join('\n')}\nStop it, or use other ports: ${findOwnCommand()} dev ${flags.join(' ')}`;
}

/** Only a port that another program holds counts as taken. */
function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(!('code' in error && error.code === 'EADDRINUSE')));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

async function findFree(host: string, from: number): Promise<number> {
  for (let port = from; port < LAST_PORT; port += 1) if (await isFree(host, port)) return port;
  return LAST_PORT;
}

/** ` by process 4711 (node server.js)`; empty where the system does not tell, or the process is another user's. */
function describeHolder(port: number): string {
  return tryOr(() => {
    const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => findListening(file, port)));
    const holder = readdirSync('/proc').find((name) => /^\d+$/u.test(name) && holdsSocket(`/proc/${name}/fd`, sockets));
    if (holder === undefined) return '';
    const words = readFileSync(`/proc/${holder}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return escapeLine(` by process ${holder} (${words})`);
  }, '');
}

const LISTENING = '0A';

/** @returns inodes of the sockets that listen on the port */
function findListening(file: string, port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local = '', , state]) => state === LISTENING && local.endsWith(`:${wanted}`))
    .map((columns) => columns[9] ?? '');
}

function holdsSocket(folder: string, sockets: ReadonlySet<string>): boolean {
  return tryOr(() => readdirSync(folder), []).some((file) => {
    const link = tryOr(() => readlinkSync(`${folder}/${file}`), '');
    return sockets.has(/^socket:\[(\d+)\]$/u.exec(link)?.[1] ?? '');
  });
}
