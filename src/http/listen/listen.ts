// Binds an HTTP server to the configured host and port, or Unix socket (`operating.md` §11.1-§11.3).
import { lookup } from 'node:dns/promises';
import { chmodSync } from 'node:fs';
import type { Server } from 'node:net';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type BindTarget, findSpecialTargets } from './bind-targets.ts';
import { leaveExclusivePort, type LeavePort } from './leave-port.ts';
import { type PortSharing, type SharedPort, SHARING_UNSUPPORTED } from './port-sharing.ts';
import { isSocketFree, removeSocketFile } from './socket-file.ts';

export type ListenPlace =
  | { readonly kind: 'port'; readonly host: string; readonly port: number; readonly sharing: PortSharing | undefined }
  | { readonly kind: 'socket'; readonly path: string; readonly mode: number };

export interface Listening {
  /** Bound address: `0.0.0.0:3000`, `[::1]:3000`, `/run/api.sock`. */
  readonly address: string;
  readonly leave: LeavePort;
}

/** Starts listening. Error: the system's message. */
export function listen(server: Server, place: ListenPlace): Promise<Result<Listening, string>> {
  return place.kind === 'port' ? listenOnPort(server, place) : listenOnSocket(server, place);
}

type PortPlace = Extract<ListenPlace, { readonly kind: 'port' }>;
type SocketPlace = Extract<ListenPlace, { readonly kind: 'socket' }>;

async function listenOnPort(server: Server, { host, port, sharing }: PortPlace): Promise<Result<Listening, string>> {
  const targets = await findTargets(host);
  if (!targets.ok) return targets;
  let failure = `no address of ${host} can be bound`;
  for (const target of targets.value) {
    const bound = await (sharing === undefined
      ? bindAlone(server, { host: target.host, port, ipv6Only: target.isIpv6Only })
      : bindShared(server, sharing(target, port)));
    if (bound.ok) return ok({ address: describeAddress(server), leave: bound.value });
    failure = bound.error;
  }
  return fail(failure);
}

async function bindAlone(server: Server, options: SharedPort['options']): Promise<Result<LeavePort, string>> {
  const bound = await bind(server, options);
  return bound.ok ? ok(leaveExclusivePort) : bound;
}

async function bindShared(server: Server, shared: Result<SharedPort, string>): Promise<Result<LeavePort, string>> {
  if (!shared.ok) return shared;
  const { options, enter, leave } = shared.value;
  const bound = await enter(() => bind(server, options));
  if (bound.ok) return ok(leave);
  return bound.error.includes('ENOTSUP') ? fail(SHARING_UNSUPPORTED) : bound;
}

async function listenOnSocket(server: Server, { path, mode }: SocketPlace): Promise<Result<Listening, string>> {
  if (!(await isSocketFree(path))) return fail(`listen EADDRINUSE: address already in use ${path}`);
  const removed = removeSocketFile(path);
  if (!removed.ok) return removed;
  const bound = await bind(server, { path });
  if (!bound.ok) return bound;
  chmodSync(path, mode);
  return ok({ address: path, leave: leaveExclusivePort });
}

async function findTargets(host: string): Promise<Result<readonly BindTarget[], string>> {
  const special = findSpecialTargets(host);
  if (special !== undefined) return ok(special);
  try {
    return ok((await lookup(host, { all: true })).map(({ address }) => ({ host: address, isIpv6Only: false })));
  } catch (error) {
    return fail(describeFailure(error));
  }
}

/**
 * Connections that the operating system keeps until they are accepted, if its own limit allows that many. Beyond it,
 * clients that reconnect at the same moment try again after 1, 3, 7 seconds and more.
 */
const BACKLOG = 4096;

function bind(server: Server, options: SharedPort['options']): Promise<Result<undefined, string>> {
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
      server.listen({ ...options, backlog: BACKLOG });
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
