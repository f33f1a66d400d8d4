// Checks the Node version, because behavior on an older Node is undefined.

/** Must match `engines` in package.json. */
export const OLDEST_NODE = '20.19';

/** @param version `20.19.0` */
export function isNodeTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
