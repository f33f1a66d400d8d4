// Opens TCP sockets that share their port with other processes, using Linux system calls: Node 20 does not support
// SO_REUSEPORT, and no Node version can select which socket gets new connections (`operating.md` §11.3).
import type * as Koffi from 'koffi';
import { isIPv6 } from 'node:net';
import { getSystemErrorMap } from 'node:util';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { BindTarget } from './bind-targets.ts';
import type { Instruction } from './reuseport-filter.ts';

/** A socket that is bound but not listening yet. */
export interface SharedSocket {
  readonly fd: number;
  readonly isIpv6: boolean;
  /** Sets the filter that selects among all sockets of the port; undefined lets the system distribute evenly. */
  readonly setFilter: (filter: readonly Instruction[] | undefined) => void;
}

/** Opens a socket. Error: the system's message. */
export type OpenSharedSocket = (target: BindTarget, port: number) => Result<SharedSocket, string>;

// Values from the Linux headers; the same on every architecture that Node supports.
const AF_INET = 2;
const AF_INET6 = 10;
const STREAM_CLOSED_ON_EXEC = 0o2_000_001;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_REUSEPORT = 15;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const SO_DETACH_REUSEPORT_BPF = 68;

/** @returns undefined on other systems, or if the package for system calls is not installed */
export async function loadSharedSockets(): Promise<OpenSharedSocket | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return openThrough(await import('koffi'));
  } catch {
    return undefined;
  }
}

function openThrough({ load, struct, pointer, sizeof, errno }: typeof Koffi): OpenSharedSocket {
  const libc = load(null);
  const instruction = struct({ code: 'uint16', onTrue: 'uint8', onFalse: 'uint8', value: 'uint32' });
  const program = struct({ length: 'uint16', first: pointer(instruction) });
  const socket = libc.func('socket', 'int', ['int', 'int', 'int']);
  const bind = libc.func('bind', 'int', ['int', 'void *', 'uint32']);
  const close = libc.func('close', 'int', ['int']);
  const parseAddress = libc.func('inet_pton', 'int', ['int', 'str', 'void *']);
  const setOption = libc.func('setsockopt', 'int', ['int', 'int', 'int', 'void *', 'uint32']);
  const setProgram = libc.func('setsockopt', 'int', ['int', 'int', 'int', pointer(program), 'uint32']);

  const set = (fd: number, [level, name]: readonly [level: number, name: number], value: number): number =>
    setOption(fd, level, name, new Int32Array([value]), Int32Array.BYTES_PER_ELEMENT);

  const attachFilter = (fd: number, filter: readonly Instruction[] | undefined): void => {
    if (filter === undefined) set(fd, [SOL_SOCKET, SO_DETACH_REUSEPORT_BPF], 0);
    else
      setProgram(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, { length: filter.length, first: filter }, sizeof(program));
  };

  return (target, port) => {
    const isIpv6 = isIPv6(target.host);
    // A `sockaddr_in` or `sockaddr_in6`.
    const address = new Uint8Array(isIpv6 ? 28 : 16);
    const view = new DataView(address.buffer);
    new Uint16Array(address.buffer, 0, 1)[0] = isIpv6 ? AF_INET6 : AF_INET;
    view.setUint16(2, port);
    if (parseAddress(isIpv6 ? AF_INET6 : AF_INET, target.host, address.subarray(isIpv6 ? 8 : 4)) !== 1)
      return fail(`listen EINVAL: ${target.host} is not an address`);
    const fd = socket(isIpv6 ? AF_INET6 : AF_INET, STREAM_CLOSED_ON_EXEC, 0);
    const isBound =
      fd >= 0 &&
      set(fd, [SOL_SOCKET, SO_REUSEADDR], 1) === 0 &&
      set(fd, [SOL_SOCKET, SO_REUSEPORT], 1) === 0 &&
      (!isIpv6 || set(fd, [IPPROTO_IPV6, IPV6_V6ONLY], target.isIpv6Only ? 1 : 0) === 0) &&
      bind(fd, address, address.byteLength) === 0;
    if (isBound) return ok({ fd, isIpv6, setFilter: (filter) => attachFilter(fd, filter) });
    const [name, message] = getSystemErrorMap().get(-errno()) ?? ['EIO', 'unknown error'];
    if (fd >= 0) close(fd);
    return fail(`listen ${name}: ${message} ${isIpv6 ? `[${target.host}]` : target.host}:${port}`);
  };
}
