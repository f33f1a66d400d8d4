// The report of a run: the number of requests by kind and status, and the problems.

const MAX_SHOWN = 20;
/** Maximum length of one problem in characters. */
const LONGEST_SHOWN = 3000;
/** After this many problems, further ones add no information. */
const MAX_PROBLEMS = 200;

export class TenantReport {
  readonly seed: number;
  readonly byKind: Map<string, number> = new Map<string, number>();
  readonly byClass: Map<string, number> = new Map<string, number>();
  /** The first few problems. */
  readonly problems: string[] = [];
  problemCount = 0;
  /** Requests that were also sent to the second server. */
  coldCount = 0;
  count = 0;
  /** Total CPU time of the server in microseconds; undefined if unknown. */
  serverTime: number | undefined;
  readonly #start = performance.now();
  readonly #usage = process.cpuUsage();

  constructor(seed: number) {
    this.seed = seed;
  }

  get isHopeless(): boolean {
    return this.problemCount >= MAX_PROBLEMS;
  }

  /** Share of requests answered with 2xx. */
  get validShare(): number {
    return (this.byClass.get('2xx') ?? 0) / this.count;
  }

  /** @param status undefined if the client did not wait for the response */
  add(kind: string, status: number | undefined): void {
    this.count += 1;
    const group = status === undefined ? 'left' : `${Math.floor(status / 100)}xx`;
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1);
    this.byClass.set(group, (this.byClass.get(group) ?? 0) + 1);
  }

  fail(problem: string): void {
    this.problemCount += 1;
    if (this.problems.length < MAX_SHOWN) this.problems.push(problem.slice(0, LONGEST_SHOWN));
  }

  describe(): string {
    const seconds = (performance.now() - this.#start) / 1000;
    const { user, system } = process.cpuUsage(this.#usage);
    const clientTime = user + system;
    const perRequest = (time: number | undefined): string =>
      time === undefined ? 'unknown' : `${(time / this.count).toFixed(0)} µs`;
    const list = (counts: ReadonlyMap<string, number>): string =>
      [...counts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, count]) => `${name}: ${count}`)
        .join(', ');
    return [
      `${this.count} requests from seed ${this.seed} in ${(seconds / 60).toFixed(1)} minutes, ${(this.count / seconds).toFixed(0)} a second`,
      `answers: ${list(this.byClass)}; valid: ${(100 * this.validShare).toFixed(1)} %; compared with a server without plans: ${this.coldCount}`,
      `CPU time of a request: server ${perRequest(this.serverTime)}, requests and check ${perRequest(clientTime)}`,
      `kinds: ${list(this.byKind)}`,
      `problems: ${this.problemCount}`,
      ...this.problems,
    ].join('\n');
  }
}
