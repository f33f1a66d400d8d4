// In: a connected TCP socket and what the connection string says of it. Out: the same set in the system, where Node has
// no call for it: on Linux, with the optional package that calls the C library (`docs/decisions/koffi.md`).
import type { Socket } from 'node:net';

/** Undefined: the connection string does not say. */
export interface SocketTuning {
  /** Seconds between probes of a silent connection. */
  readonly keepAliveInterval: number | undefined;
  /** Probes without an answer after which it is lost. */
  readonly keepAliveCount: number | undefined;
  /** Milliseconds after which it is lost when what was sent is not acknowledged. */
  readonly userTimeout: number | undefined;
}

// From the headers of Linux; the same on every architecture that Node runs on.
const IPPROTO_TCP = 6;
const TCP_KEEPINTVL = 5;
const TCP_KEEPCNT = 6;
const TCP_USER_TIMEOUT = 18;

/** @returns undefined where nothing is to be done, or nothing can be */
export async function loadTuner(tuning: SocketTuning): Promise<((socket: Socket) => void) | undefined> {
  const options = [
    [TCP_KEEPINTVL, tuning.keepAliveInterval],
    [TCP_KEEPCNT, tuning.keepAliveCount],
    [TCP_USER_TIMEOUT, tuning.userTimeout],
  ].filter((option): option is [number, number] => option[1] !== undefined);
  const setOption = options.length === 0 ? undefined : await (loading ??= loadSetOption());
  if (setOption === undefined) return undefined;
  return (socket) => {
    const fd = readDescriptor(socket);
    // A local socket has none of these.
    if (fd === undefined || socket.remotePort === undefined) return;
    for (const [name, value] of options) setOption(fd, IPPROTO_TCP, name, new Int32Array([value]), 4);
  };
}

type SetOption = (...values: readonly unknown[]) => number;

let loading: Promise<SetOption | undefined> | undefined;

async function loadSetOption(): Promise<SetOption | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const { load } = await import('koffi');
    return load(null).func('setsockopt', 'int', ['int', 'int', 'int', 'void *', 'uint32']);
  } catch {
    return undefined;
  }
}

function readDescriptor(socket: Socket): number | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  return typeof fd === 'number' && fd >= 0 ? fd : undefined;
}
