// Parses the comma-separated hosts, addresses and ports of a connection string into one target per host. Pure.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
import { fail, ok, type Result } from '../../contract/result.ts';

export interface HostTarget {
  /** Configured name, for messages and certificate checks; a socket directory begins with `/`. */
  readonly host: string;
  /** Numeric address if configured, otherwise the host. */
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

/** Returns the path of the server's socket in its directory. */
export function socketPath(target: HostTarget): string {
  return `${target.address}/.s.PGSQL.${target.port}`;
}

/** Parses the lists. An empty entry means its default; a single port applies to every host. */
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
