// Resolves `server-host` to the addresses to bind, in the order to try them (`operating.md` §11.1).

export interface BindTarget {
  readonly host: string;
  /** Whether to reject IPv4 clients, which `::` accepts by default. */
  readonly isIpv6Only: boolean;
}

const ANY_IPV4: BindTarget = { host: '0.0.0.0', isIpv6Only: false };
const ANY: BindTarget = { host: '::', isIpv6Only: false };

const SPECIAL_HOSTS: ReadonlyMap<string, readonly BindTarget[]> = new Map([
  ['*', [ANY, ANY_IPV4]],
  ['*4', [ANY_IPV4, ANY]],
  ['!4', [ANY_IPV4]],
  ['*6', [ANY, ANY_IPV4]],
  ['!6', [{ host: '::', isIpv6Only: true }]],
]);

/** Returns undefined for a host name, which must be looked up. */
export function findSpecialTargets(host: string): readonly BindTarget[] | undefined {
  return SPECIAL_HOSTS.get(host);
}
