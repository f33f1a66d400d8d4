// Binds an HTTP server to where the configuration says: host and port, or a unix socket (`operations.md` §11.1-§11.3).
import { lookup } from 'node:dns/promises';
import { chmodSync } from 'node:fs';
import type { ListenOptions, Server } from 'node:net';
import { fail, ok, type Result } from '../contract/result.ts';
import { type BindTarget, findSpecialTargets, listNamedTargets } from './bind-targets.ts';
import { SHARING_UNSUPPORTED } from './port-sharing.ts';
import { isSocketFree, removeSocketFile } from './socket-file.ts';

export type ListenPlace =
  | { readonly kind: 'port'; readonly host: string; readonly port: number; readonly isShared: boolean }
  | { readonly kind: 'socket'; readonly path: string; readonly mode: number };

/** @returns what it is bound to: `0.0.0.0:3000`, `[::1]:3000`, `/run/api.sock`; or the system's error text */
export function listen(server: Server, place: ListenPlace): Promise<Result<string, string>> {
  return place.kind === 'port' ? listenOnPort(server, place) : listenOnSocket(server, place);
}

type PortPlace = Extract<ListenPlace, { readonly kind: 'port' }>;
type SocketPlace = Extract<ListenPlace, { readonly kind: 'socket' }>;

async function listenOnPort(server: Server, { host, port, isShared }: PortPlace): Promise<Result<string, string>> {
  const targets = await findTargets(host);
  if (!targets.ok) return targets;
  let failure = `no address of ${host} can be bound`;
  for (const { host: address, isIpv6Only } of targets.value) {
    const options = { host: address, port, ipv6Only: isIpv6Only, ...(isShared ? { reusePort: true } : {}) };
    const bound = await bind(server, options);
    if (bound.ok) return ok(describeAddress(server));
    failure = isShared && bound.error.includes('ENOTSUP') ? SHARING_UNSUPPORTED : bound.error;
  }
  return fail(failure);
}

async function listenOnSocket(server: Server, { path, mode }: SocketPlace): Promise<Result<string, string>> {
  if (!(await isSocketFree(path))) return fail(`listen EADDRINUSE: address already in use ${path}`);
  const removed = removeSocketFile(path);
  if (!removed.ok) return removed;
  const bound = await bind(server, { path });
  if (!bound.ok) return bound;
  chmodSync(path, mode);
  return ok(path);
}

async function findTargets(host: string): Promise<Result<readonly BindTarget[], string>> {
  const special = findSpecialTargets(host);
  if (special !== undefined) return ok(special);
  try {
    return ok(listNamedTargets(await lookup(host, { all: true })));
  } catch (error) {
    return fail(describeFailure(error));
  }
}

function bind(server: Server, options: ListenOptions): Promise<Result<undefined, string>> {
  return new Promise((resolve) => {
    const onError = (error: Error): void => {
      server.off('listening', onListening);
      resolve(fail(error.message));
    };
    const onListening = (): void => {
      server.off('error', onError);
      resolve(ok(undefined));
    };
    server.once('error', onError);
    server.once('listening', onListening);
    try {
      server.listen(options);
    } catch (error) {
      server.off('listening', onListening);
      server.off('error', onError);
      resolve(fail(describeFailure(error)));
    }
  });
}

function describeAddress(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address');
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
