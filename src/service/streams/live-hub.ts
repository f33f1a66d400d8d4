// Owns the groups of live responses, and passes the changes of the database on to them.
import { ANCESTORS_SQL } from '../../catalog/introspect/live-sources.sql.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { LogTransaction } from '../../contract/log-changes.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { EventStore } from '../../live/event-ring.ts';
import { dependsOn, fits } from '../../live/live-sources.ts';
import { Interests } from '../../live/interests.ts';
import { renderArrayLiteral } from '../../sql/text/array-literal.ts';
import type { EventBody } from './event-body.ts';
import { LiveGroup } from './live-group.ts';
import type { GroupSettings, LiveCounts } from './live-group-options.ts';
import type { LiveReader, Watched } from './live-reader.ts';
import { unlessAborted } from '../scheduling/unless-aborted.ts';
import { LogFeed, type LogFeedOptions } from './log-feed.ts';

export interface LiveHubOptions extends Pick<LogFeedOptions, 'open' | 'observe' | 'query'> {
  readonly reader: LiveReader;
  readonly settings: () => GroupSettings;
  readonly bufferSize: () => number;
  /** Number of groups without streams that are kept for clients that reconnect. */
  readonly maxLingering: () => number;
  /** Differs between processes. */
  readonly epoch: string;
  /** Called with the streams of a group whose read has failed. */
  readonly onFailure: (bodies: readonly EventBody[], error: ApiError) => void;
}

/** How long a group without streams is kept for clients that reconnect. */
const LINGER_MS = 60_000;

interface Member {
  readonly key: string;
  readonly group: LiveGroup;
  readonly ready: Promise<Result<void, ApiError>>;
  linger: NodeJS.Timeout | undefined;
  /** Requests that wait for the first read. */
  waiting: number;
}

export class LiveHub {
  readonly counts: LiveCounts = { reads: 0, resets: 0 };
  readonly #options: LiveHubOptions;
  readonly #store: EventStore;
  readonly #interests = new Interests();
  readonly #feed: LogFeed;
  readonly #members: Map<string, Member> = new Map();
  /** Groups without streams; the first one has been so for the longest time. */
  readonly #lingering: Set<Member> = new Set();
  #serial = 0;
  /** Transactions are passed on one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: LiveHubOptions) {
    this.#options = options;
    this.#store = new EventStore(options.bufferSize);
    this.#feed = new LogFeed({
      ...options,
      onVisible: (transactions) => this.#pass(transactions),
      onUnlogged: () => this.refresh(false),
      onReopened: () => this.refresh(true),
    });
  }

  get groups(): number {
    return this.#members.size;
  }

  /** Seconds for which the oldest change has waited until the database shows it. */
  get lag(): number {
    return this.#feed.lag;
  }

  /**
   * Resolves with the group of the read when its rows have been read since the call.
   * @param key equal for requests that share a group
   * @param signal aborts when the client disconnects
   */
  async enter(key: string, watched: Watched, signal: CancelSignal | undefined): Promise<Result<LiveGroup, ApiError>> {
    const open = await this.#feed.request();
    if (!open.ok) {
      this.#rest();
      return open;
    }
    const known = this.#members.get(key);
    const member = known ?? this.#create(key, watched);
    clearTimeout(member.linger);
    this.#lingering.delete(member);
    member.waiting += 1;
    // Rows that were read before this request came may no longer be visible.
    const check = (ready: Result<void, ApiError>) => (ready.ok ? member.group.check() : ready);
    const allowed = await unlessAborted(known === undefined ? member.ready : member.ready.then(check), signal);
    member.waiting -= 1;
    // If no stream joins, because the client has left or may not read, the group ends.
    if (member.group.hasStarted) this.settle(key);
    else if (member.waiting === 0) this.#remove(member);
    return allowed.ok ? ok(member.group) : allowed;
  }

  /** Call when a stream has left the group with this key. */
  settle(key: string): void {
    const member = this.#members.get(key);
    if (member === undefined || member.group.streams > 0 || member.waiting > 0) return;
    clearTimeout(member.linger);
    member.linger = setTimeout(() => this.#removeUnused(member), LINGER_MS);
    // Otherwise, clients that come and go would fill the memory with groups.
    this.#lingering.delete(member);
    this.#lingering.add(member);
    const [oldest] = this.#lingering;
    if (this.#lingering.size > this.#options.maxLingering() && oldest !== undefined) this.#removeUnused(oldest);
  }

  /** Reads everything again. @param mustPlan whether the configuration, the schema or the connection is new */
  refresh(mustPlan: boolean): void {
    for (const { group } of this.#members.values()) group.refresh(mustPlan);
  }

  /** Call when no stream is left. */
  async close(): Promise<void> {
    for (const member of this.#members.values()) {
      clearTimeout(member.linger);
      member.group.close();
    }
    this.#members.clear();
    await this.#feed.close();
  }

  #create(key: string, watched: Watched): Member {
    this.#serial += 1;
    const group = new LiveGroup({
      ...this.#options,
      watched,
      store: this.#store,
      interests: this.#interests,
      epoch: `${this.#options.epoch}${this.#serial.toString(36)}`,
      counts: this.counts,
      onFailure: (error) => {
        this.#remove(member);
        this.#options.onFailure(bodies(), error);
      },
    });
    const bodies = (): readonly EventBody[] => group.close();
    const member: Member = { key, group, ready: group.start(), linger: undefined, waiting: 0 };
    this.#members.set(key, member);
    return member;
  }

  #removeUnused(member: Member): void {
    this.#lingering.delete(member);
    if (member.group.streams === 0 && member.waiting === 0) this.#remove(member);
  }

  #remove(member: Member): void {
    clearTimeout(member.linger);
    this.#lingering.delete(member);
    if (this.#members.get(member.key) === member) this.#members.delete(member.key);
    if (member.group.streams === 0) member.group.close();
    this.#rest();
  }

  /** Ends the replication connection when nobody watches anything. */
  #rest(): void {
    if (this.#members.size === 0) void this.#feed.close();
  }

  #pass(transactions: readonly LogTransaction[]): void {
    this.#work = this.#work.then(() => this.#passNow(transactions));
  }

  async #passNow(transactions: readonly LogTransaction[]): Promise<void> {
    await this.#noticeDefinitions(new Map(transactions.flatMap(({ described }) => [...described])));
    for (const transaction of transactions) this.#interests.pass(transaction);
  }

  /** A table may have changed, or become part of a partitioned one, since the groups were planned. */
  async #noticeDefinitions(described: ReadonlyMap<number, string>): Promise<void> {
    if (described.size === 0) return;
    for (const { group } of this.#members.values()) if (!fits(group.sources, described)) group.refresh(true);
    const reply = await this.#options.query(ANCESTORS_SQL, [renderArrayLiteral([...described.keys()].map(String))]);
    if (!reply.ok) return this.refresh(true);
    const ancestors = new Map<number, Set<number>>();
    for (const [oid, ancestor] of reply.value)
      ancestors.set(Number(oid), (ancestors.get(Number(oid)) ?? new Set()).add(Number(ancestor)));
    for (const [oid, above] of ancestors)
      for (const { group } of this.#members.values())
        if (dependsOn(group.sources, above) && !dependsOn(group.sources, new Set([oid]))) group.refresh(true);
  }
}
