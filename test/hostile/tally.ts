// Tallies the responses under overload: whether each is allowed and belongs to its question, and how long it took.
import type { Reply } from './wire-client.ts';

export class AnswerTally {
  readonly problems: string[] = [];
  readonly #latencies: Map<number, number[]> = new Map();

  /** @param expected the body of a 200 */
  add(reply: Reply, expected: string, latency: number): void {
    const { status, head, body } = reply;
    const latencies = this.#latencies.get(status);
    if (latencies === undefined) this.#latencies.set(status, [latency]);
    else latencies.push(latency);
    const isRefusal = /^proxy-status: .*error=SVC005\r$/imu.test(head) && /^retry-after: 1\r$/imu.test(head);
    const isRight = status === 200 ? body === expected : status === 503 && isRefusal;
    if (!isRight) this.problems.push(`${status} ${body.slice(0, 200)} instead of ${expected}`);
  }

  count(status: number): number {
    return this.#latencies.get(status)?.length ?? 0;
  }

  /** In milliseconds; NaN if there is no such response. */
  quantile(status: number, part: number): number {
    const sorted = (this.#latencies.get(status) ?? []).toSorted((left, right) => left - right);
    return sorted[Math.floor(sorted.length * part)] ?? NaN;
  }

  /** Renders the tally for the report. */
  describe(): string {
    const [accepted, refused] = [this.count(200), this.count(503)];
    const share = Math.round((100 * refused) / Math.max(1, accepted + refused));
    const times = [this.quantile(200, 0.5), this.quantile(200, 0.99), this.quantile(503, 0.99)].map(Math.round);
    return `${accepted} accepted (p50 ${times[0]} ms, p99 ${times[1]} ms), ${refused} refused (${share} %, p99 ${times[2]} ms)`;
  }
}
