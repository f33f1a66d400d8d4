// Detects half-open connections: the system itself gives up on unacknowledged data only after a quarter of an hour. A
// statement may run for long without any traffic, so silence alone proves nothing: it triggers a check whether the server
// can still be reached.
import type { Socket } from 'node:net';
import { canReach } from './reach-server.ts';

export interface ConnectionMonitorOptions {
  readonly socket: Socket;
  /** Silence before the first check, and time limit of each check. */
  readonly timeoutMs: number;
  readonly isAwaitingAnswer: () => boolean;
  readonly onGone: () => void;
}

/** A single attempt may fail by packet loss. */
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
    // A Unix socket has no address, and its other end cannot become unreachable.
    if (host === undefined || port === undefined) return true;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) if (await canReach({ host, port }, timeoutMs)) return true;
    return false;
  }
}

/** After 1, 2, 4, 8 and 12, 24, 36 … intervals. */
function isDue(intervals: number): boolean {
  return (
    intervals > 0 &&
    (intervals % MAX_INTERVALS === 0 || (intervals < MAX_INTERVALS && Number.isInteger(Math.log2(intervals))))
  );
}
