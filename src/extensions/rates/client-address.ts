// Finds the address of the client of a request. Behind proxies that are trusted, that is the last address in
// `X-Forwarded-For` that no trusted proxy has: whatever stands before it, the client may have written itself.
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { allHeaders, type HeaderList } from '../../contract/http.ts';

export interface TrustedProxies {
  /** @param address undefined: a Unix socket, or a host application that does not say */
  readonly has: (address: string | undefined) => boolean;
}

const NO_PROXIES: TrustedProxies = { has: () => false };

/** @param list addresses, networks such as `10.0.0.0/8`, and `unix`; invalid ones are never met */
export function trustProxies(list: readonly string[]): TrustedProxies {
  if (list.length === 0) return NO_PROXIES;
  const networks = new BlockList();
  for (const item of list) {
    const [text = '', bits] = item.split('/');
    const address = plainAddress(text);
    const family = familyOf(address);
    const mappedBits = family === 'ipv4' && text.includes(':') ? MAPPED_BITS : 0;
    const length = bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits) - mappedBits;
    if (family !== undefined && length >= 0 && length <= (family === 'ipv6' ? 128 : 32))
      networks.addSubnet(address, length, family);
  }
  const hasUnix = list.includes('unix');
  return {
    has: (address) => {
      if (address === undefined) return hasUnix;
      const family = familyOf(address);
      return family !== undefined && networks.check(address, family);
    },
  };
}

/**
 * Returns text that is the same for all requests of the client: an IPv4 address, or the first 64 bits of an IPv6
 * address, since networks hand out no less to one customer.
 *
 * @param peer address that the connection comes from
 */
export function findClientAddress(peer: string | undefined, headers: HeaderList, proxies: TrustedProxies): string {
  let address = peer && plainAddress(peer);
  const hops = proxies.has(address) ? allHeaders(headers, 'x-forwarded-for').flatMap((value) => value.split(',')) : [];
  while (hops.length > 0 && proxies.has(address)) address = plainAddress((hops.pop() ?? '').trim());
  return address === undefined ? 'unix' : networkOf(address);
}

/** Bits of the network of all IPv4 addresses in IPv6, `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

/**
 * Removes a port, brackets and a zone. An IPv6 address gets its one canonical spelling; one that contains an IPv4 address
 * becomes that address.
 */
function plainAddress(text: string): string {
  const bare =
    /^\[(?<address>.*)\](?::\d+)?$/u.exec(text)?.groups?.['address'] ?? text.replace(/^(?<v4>[\d.]+):\d+$/u, '$<v4>');
  const address = bare.replace(/%.*$/u, '');
  if (!isIPv6(address)) return address;
  const { address: canonical } = new SocketAddress({ address, family: 'ipv6' });
  return canonical.replace(/^::ffff:(?=[\d.]+$)/u, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) ? 'ipv6' : undefined;
}

/** @param address in the canonical spelling if it is an IPv6 address */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, MAX_LENGTH);
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const following = tail === undefined || tail === '' ? [] : tail.split(':');
  while (groups.length < 4 && groups.length + following.length < 8) groups.push('0');
  const network = [...groups, ...following].slice(0, 4);
  return `${network.join(':')}::/64`;
}

/** Whatever a proxy writes, it takes no more memory than an address. */
const MAX_LENGTH = 64;
