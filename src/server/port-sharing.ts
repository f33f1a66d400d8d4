// How several processes listen on one port, which takes SO_REUSEPORT from the system and somebody who asks for it
// (`operations.md` §11.3).
import type { ListenOptions } from 'node:net';
import { ok } from '../contract/result.ts';
import { loadSharedSockets, type PortSharing } from './shared-socket.ts';

export const SHARING_UNSUPPORTED: string =
  'server-reuseport is not supported here: it needs a system with SO_REUSEPORT, and on Linux the optional package koffi, ' +
  'elsewhere or without it Node.js 22.12, 23.1 or later';

/** @returns undefined where ports cannot be shared */
export async function findPortSharing(): Promise<PortSharing | undefined> {
  return (await loadSharedSockets()) ?? (canSharePorts(process.versions.node) ? shareThroughNode : undefined);
}

/** @param nodeVersion `22.12.0`; older ones take the wish and ignore it */
export function canSharePorts(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major === 22) return minor >= 12;
  return major > 23 || (major === 23 && minor >= 1);
}

const shareThroughNode: PortSharing = ({ host, isIpv6Only }, port) => {
  // Newer than the types of the oldest Node.
  const options: ListenOptions & { readonly reusePort: true } = { host, port, ipv6Only: isIpv6Only, reusePort: true };
  return ok({ options, join: doNothing, passOn: doNothing });
};

function doNothing(): void {
  // The system deals new connections out evenly as long as nobody asks for anything else.
}
