// Notices that the other end of a connection is gone without a word: the system itself gives up on what it has sent only
// after a quarter of an hour. Statements may take their time, so silence alone proves nothing: it is the reason to ask
// whether the server can still be reached.
import type { Socket } from 'node:net';
import { canReach } from './reach-server.ts';

export interface SilenceWatchOptions {
  readonly socket: Socket;
  /** Milliseconds of silence before the first question, and for the answer to each. */
  readonly timeoutMs: number;
  readonly isAwaitingAnswer: () => boolean;
  readonly onGone: () => void;
}

/** One may be lost. */
const ATTEMPTS = 2;
/** Silences as long as this many patiences apart, at the latest, it is asked again. */
const RAREST = 12;

export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** Bytes so far, in both directions. */
  #traffic = 0;
  /** Patiences that have passed without any. */
  #silence = 0;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.timeoutMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { socket, isAwaitingAnswer, onGone } = this.#options;
    const traffic = socket.bytesRead + socket.bytesWritten;
    const isSilent = isAwaitingAnswer() && traffic === this.#traffic;
    this.#traffic = traffic;
    this.#silence = isSilent ? this.#silence + 1 : 0;
    if (!isDue(this.#silence) || (await this.#isThere())) return;
    if (isAwaitingAnswer() && socket.bytesRead + socket.bytesWritten === traffic) onGone();
  }

  async #isThere(): Promise<boolean> {
    const { socket, timeoutMs } = this.#options;
    const { remoteAddress: host, remotePort: port } = socket;
    // A local socket has no address, and nobody at its other end can vanish.
    if (host === undefined || port === undefined) return true;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) if (await canReach({ host, port }, timeoutMs)) return true;
    return false;
  }
}

/** After 1, 2, 4, 8 and 12, 24, 36 … patiences. */
function isDue(silence: number): boolean {
  return silence > 0 && (silence % RAREST === 0 || (silence < RAREST && Number.isInteger(Math.log2(silence))));
}
