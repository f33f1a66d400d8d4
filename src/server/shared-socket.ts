// TCP sockets that share their port with other processes, by the calls of Linux itself: Node 20 cannot ask for
// SO_REUSEPORT, and no Node can send new connections to the other processes before it closes (`operations.md` §11.3).
import type * as Koffi from 'koffi';
import { isIPv6, type ListenOptions } from 'node:net';
import { getSystemErrorMap } from 'node:util';
import { fail, ok, type Result } from '../contract/result.ts';
import type { BindTarget } from './bind-targets.ts';

export interface SharedPort {
  /** What a server is to listen on. */
  readonly options: ListenOptions | { readonly fd: number };
  /** To be called once it listens: new connections are dealt out evenly, whatever an ended process has left. */
  readonly join: () => void;
  /** From now on the process that came next gets the new connections, if there is one and the system can do that. */
  readonly passOn: () => void;
}

/** @returns or the system's error text */
export type PortSharing = (target: BindTarget, port: number) => Result<SharedPort, string>;

// From the headers of Linux; the same on every architecture that Node runs on.
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
/** The packet filter's instruction that returns a constant. */
const BPF_RETURN = 0x06;

/** @returns undefined where the system is another one, or the package that makes the calls is not installed */
export async function loadSharedSockets(): Promise<PortSharing | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return shareThrough(await import('koffi'));
  } catch {
    return undefined;
  }
}

function shareThrough({ load, struct, pointer, sizeof, errno }: typeof Koffi): PortSharing {
  const libc = load(null);
  const instruction = struct({ code: 'uint16', onTrue: 'uint8', onFalse: 'uint8', value: 'uint32' });
  const program = struct({ length: 'uint16', first: pointer(instruction) });
  const socket = libc.func('socket', 'int', ['int', 'int', 'int']);
  const bind = libc.func('bind', 'int', ['int', 'void *', 'uint32']);
  const close = libc.func('close', 'int', ['int']);
  const parseAddress = libc.func('inet_pton', 'int', ['int', 'str', 'void *']);
  const setOption = libc.func('setsockopt', 'int', ['int', 'int', 'int', 'void *', 'uint32']);
  const setProgram = libc.func('setsockopt', 'int', ['int', 'int', 'int', pointer(program), 'uint32']);

  const set = (fd: number, level: number, option: number, value: number): number =>
    setOption(fd, level, option, new Int32Array([value]), Int32Array.BYTES_PER_ELEMENT);

  const join = (fd: number): void => void set(fd, SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, 0);

  /** The sockets of a port stand in the order in which they came: those that end go first, the next has number 1. */
  const passOn = (fd: number): void => {
    const choice = { length: 1, first: [{ code: BPF_RETURN, onTrue: 0, onFalse: 0, value: 1 }] };
    setProgram(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, choice, sizeof(program));
  };

  return (target, port) => {
    const isV6 = isIPv6(target.host);
    const address = writeAddress(isV6, port);
    if (parseAddress(isV6 ? AF_INET6 : AF_INET, target.host, address.subarray(isV6 ? 8 : 4)) !== 1)
      return fail(`listen EINVAL: ${target.host} is no address`);
    const fd = socket(isV6 ? AF_INET6 : AF_INET, STREAM_CLOSED_ON_EXEC, 0);
    const isBound =
      fd >= 0 &&
      set(fd, SOL_SOCKET, SO_REUSEADDR, 1) === 0 &&
      set(fd, SOL_SOCKET, SO_REUSEPORT, 1) === 0 &&
      (!isV6 || set(fd, IPPROTO_IPV6, IPV6_V6ONLY, target.isIpv6Only ? 1 : 0) === 0) &&
      bind(fd, address, address.byteLength) === 0;
    if (isBound) return ok({ options: { fd }, join: () => join(fd), passOn: () => passOn(fd) });
    const [name, message] = getSystemErrorMap().get(-errno()) ?? ['EIO', 'unknown error'];
    if (fd >= 0) close(fd);
    return fail(`listen ${name}: ${message} ${isV6 ? `[${target.host}]` : target.host}:${port}`);
  };
}

/** @returns a `sockaddr_in` or `sockaddr_in6` whose address is to be filled in */
function writeAddress(isV6: boolean, port: number): Uint8Array {
  const bytes = new Uint8Array(isV6 ? 28 : 16);
  const view = new DataView(bytes.buffer);
  new Uint16Array(bytes.buffer, 0, 1)[0] = isV6 ? AF_INET6 : AF_INET;
  view.setUint16(2, port);
  return bytes;
}
