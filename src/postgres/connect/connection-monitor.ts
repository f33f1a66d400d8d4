// Detects half-open connections. The operating system takes a quarter of an hour to give up on unacknowledged data. A
// long statement causes no traffic, so silence alone proves nothing; it only triggers a check whether the host is
// reachable.
import { createConnection, type Socket } from 'node:net';
import { TLS_REQUEST } from '../wire/control-messages.ts';

export interface ConnectionMonitorOptions {
  readonly socket: Socket;
  /** Silence before the first check, and timeout of each check. */
  readonly timeoutMs: number;
  readonly isAwaitingAnswer: () => boolean;
  readonly onGone: () => void;
}

/** Packet loss may fail a single attempt. */
const ATTEMPTS = 2;
/** Largest number of intervals between two checks. */
const MAX_INTERVALS = 12;

export class ConnectionMonitor {
  readonly #options: ConnectionMonitorOptions;
  readonly #timer: NodeJS.Timeout;
  /** Bytes in both directions at the last check. */
  #traffic = 0;
  /** Consecutive intervals without traffic. */
  #silentIntervals = 0;

  constructor(options: ConnectionMonitorOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#check(), options.timeoutMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { socket, isAwaitingAnswer, onGone } = this.#options;
    const traffic = socket.bytesRead + socket.bytesWritten;
    const isSilent = isAwaitingAnswer() && traffic === this.#traffic;
    this.#traffic = traffic;
    this.#silentIntervals = isSilent ? this.#silentIntervals + 1 : 0;
    if (!isDue(this.#silentIntervals) || (await this.#isReachable())) return;
    if (isAwaitingAnswer() && socket.bytesRead + socket.bytesWritten === traffic) onGone();
  }

  async #isReachable(): Promise<boolean> {
    const { socket, timeoutMs } = this.#options;
    const { remoteAddress: host, remotePort: port } = socket;
    // A Unix socket has no address, and its other end is always reachable.
    if (host === undefined || port === undefined) return true;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) if (await canReach({ host, port }, timeoutMs)) return true;
    return false;
  }
}

/** Returns true after 1, 2, 4, 8, 12, 24, 36 … silent intervals. */
function isDue(intervals: number): boolean {
  return (
    intervals > 0 &&
    (intervals % MAX_INTERVALS === 0 || (intervals < MAX_INTERVALS && Number.isInteger(Math.log2(intervals))))
  );
}

/** Error codes of an unreachable host. Other errors come from the server or are local failures. */
const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
]);

/**
 * Checks over a separate socket whether a database server answers. Needs no password and uses no connection slot.
 * Resolves to false if the server does not answer within the timeout.
 */
function canReach(peer: { readonly host: string; readonly port: number }, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(peer);
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (isReachable: boolean): void => {
      clearTimeout(timer);
      resolve(isReachable);
      socket.destroy();
    };
    socket.on('error', (error: NodeJS.ErrnoException) => settle(!UNREACHABLE_CODES.has(error.code ?? '')));
    socket.on('data', () => settle(true));
    socket.on('end', () => settle(true));
    socket.write(TLS_REQUEST);
  });
}
