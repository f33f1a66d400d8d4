// Lets several processes listen on one port. Requires SO_REUSEPORT in the system and a way to set it (`operating.md`
// §11.3).
import type { ListenOptions } from 'node:net';
import { ok, type Result } from '../../contract/result.ts';
import type { BindTarget } from './bind-targets.ts';
import { type LeavePort, leaveExclusivePort, leaveSharedPort } from './leave-port.ts';
import { acquirePortLock } from './port-lock.ts';
import { loadSharedSockets, type OpenSharedSocket } from './shared-socket.ts';

export interface SharedPort {
  /** Argument of `server.listen`. */
  readonly options: ListenOptions | { readonly fd: number };
  /** Calls `listen` while no other process starts or stops. */
  readonly enter: (listen: () => Promise<Result<undefined, string>>) => Promise<Result<undefined, string>>;
  readonly leave: LeavePort;
}

/** Error: the system's message. */
export type PortSharing = (target: BindTarget, port: number) => Result<SharedPort, string>;

export const SHARING_UNSUPPORTED: string =
  'server-reuseport is not supported here: it needs a system with SO_REUSEPORT, and on Linux the optional package koffi, ' +
  'elsewhere or without it Node.js 22.12, 23.1 or later';

export async function findPortSharing(): Promise<PortSharing | undefined> {
  const open = await loadSharedSockets();
  if (open !== undefined) return (target, port) => shareThroughSystem(open, target, port);
  return canSharePorts(process.versions.node) ? shareThroughNode : undefined;
}

/** @param nodeVersion such as `22.12.0`; older versions accept the option but ignore it */
export function canSharePorts(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major === 22) return minor >= 12;
  return major > 23 || (major === 23 && minor >= 1);
}

function shareThroughSystem(open: OpenSharedSocket, target: BindTarget, port: number): Result<SharedPort, string> {
  const opened = open(target, port);
  if (!opened.ok) return opened;
  const socket = opened.value;
  return ok({
    options: { fd: socket.fd },
    enter: async (listen) => {
      const releaseLock = await acquirePortLock(port);
      const bound = await listen();
      // Distributes evenly, regardless of a filter that an ended process has left.
      if (bound.ok) socket.setFilter(undefined);
      releaseLock();
      return bound;
    },
    leave: (server, onDiverted) => leaveSharedPort(server, socket, onDiverted),
  });
}

const shareThroughNode: PortSharing = ({ host, isIpv6Only }, port) => {
  // Missing in the type definitions of the oldest supported Node.
  const options: ListenOptions & { readonly reusePort: true } = { host, port, ipv6Only: isIpv6Only, reusePort: true };
  return ok({ options, enter: (listen) => listen(), leave: leaveExclusivePort });
};
