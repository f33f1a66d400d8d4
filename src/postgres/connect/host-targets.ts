// In: the comma-separated hosts, addresses and ports of a connection string. Out: one target per host, in order.
// Part of resolving connection settings; pure.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
import { fail, ok, type Result } from '../../contract/result.ts';

export interface HostTarget {
  /** As configured: name to show and to check a certificate against; begins with `/` for a socket directory. */
  readonly host: string;
  /** What to connect to: the numeric address if one is given, else the host. */
  readonly address: string;
  readonly port: number;
}

export interface HostLists {
  readonly hosts: string | undefined;
  readonly addresses: string | undefined;
  readonly ports: string | undefined;
  readonly defaultHost: string;
}

const DEFAULT_PORT = 5432;

export function isSocketDirectory(target: HostTarget): boolean {
  return target.address.startsWith('/');
}

/** Where the server of this port listens within its socket directory. */
export function socketPath(target: HostTarget): string {
  return `${target.address}/.s.PGSQL.${target.port}`;
}

/** An empty entry takes its default; a single port applies to every host. */
export function parseHostTargets(lists: HostLists): Result<readonly HostTarget[], string> {
  const addresses = splitList(lists.addresses);
  const hosts = lists.hosts === undefined && addresses.length > 0 ? addresses : splitList(lists.hosts ?? '');
  if (addresses.length > 0 && addresses.length !== hosts.length) {
    return fail(`${hosts.length} host names do not match ${addresses.length} hostaddr values`);
  }
  const ports = splitList(lists.ports);
  if (ports.length > 1 && ports.length !== hosts.length) {
    return fail(`${ports.length} port numbers do not match ${hosts.length} hosts`);
  }
  const targets: HostTarget[] = [];
  for (const [index, name] of hosts.entries()) {
    const port = parsePort((ports.length === 1 ? ports[0] : ports[index]) ?? '');
    if (!port.ok) return port;
    const address = addresses[index] || name || lists.defaultHost;
    targets.push({ host: name || address, address, port: port.value });
  }
  return ok(targets);
}

function splitList(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(',').map((entry) => entry.trim());
}

function parsePort(text: string): Result<number, string> {
  if (text === '') return ok(DEFAULT_PORT);
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? ok(port) : fail(`invalid port number: "${text}"`);
}
