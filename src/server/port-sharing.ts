// Whether several processes may listen on one port, which takes SO_REUSEPORT from the system and a Node that asks for it
// (`operations.md` §11.3).

export const SHARING_UNSUPPORTED =
  'server-reuseport is not supported here: it needs Node.js 22.12, 23.1 or later, and a system with SO_REUSEPORT';

/** @param nodeVersion `22.12.0`; older ones take the wish and ignore it */
export function canSharePorts(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major === 22) return minor >= 12;
  return major > 23 || (major === 23 && minor >= 1);
}
