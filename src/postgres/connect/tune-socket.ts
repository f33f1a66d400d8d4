// Sets TCP options of a connected socket that Node cannot set. Works on Linux with the optional package that calls the
// C library (`docs/decisions/koffi.md`).
import type { Socket } from 'node:net';

/** TCP options from the connection string; undefined keeps the system default. */
export interface SocketTuning {
  /** Seconds between probes of a silent connection. */
  readonly keepAliveInterval: number | undefined;
  /** Unanswered probes after which the connection is considered lost. */
  readonly keepAliveCount: number | undefined;
  /** Milliseconds that sent data may stay unacknowledged before the connection is considered lost. */
  readonly userTimeout: number | undefined;
}

// Values from the Linux headers; the same on every architecture that Node supports.
const IPPROTO_TCP = 6;
const TCP_KEEPINTVL = 5;
const TCP_KEEPCNT = 6;
const TCP_USER_TIMEOUT = 18;

/** Returns undefined if there is nothing to set or the platform cannot set it. */
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
    // Unix sockets have no TCP options.
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
