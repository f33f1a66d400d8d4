// Owns the groups of live responses, and passes the changes of the database on to them.
import { ANCESTORS_SQL } from '../plan/live-sources.sql.ts';
import type { CancelSignal } from '../../../contract/cancel-signal.ts';
import type { LogTransaction } from '../log/log-changes.ts';
import type { LogPosition } from '../../../contract/log-position.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { EventStore } from '../events/event-ring.ts';
import { dependsOn, fits } from '../events/live-sources.ts';
import { Interests } from '../events/interests.ts';
import type { LiveMemory } from '../events/live-memory.ts';
import type { CreateHash } from '../events/sent-rows.ts';
import { REQUEST_CANCELLED } from '../../../postgres/connect/cancel.ts';
import { renderArrayLiteral } from '../../../sql/text/array-literal.ts';
import { attempt } from './attempt.ts';
import type { LiveStream } from './live-response.ts';
import {
  type GroupSettings,
  type JoiningRequest,
  type LiveCounts,
  LiveGroup,
  type LiveGroupOptions,
} from './live-group.ts';
import { type LiveReader, noRoom, type Watched } from './live-reader.ts';
import { LogFeed, type LogFeedOptions } from './log-feed.ts';

export interface LiveHubOptions extends Pick<LogFeedOptions, 'open' | 'observe' | 'query'> {
  readonly reader: LiveReader;
  readonly memory: LiveMemory;
  readonly settings: () => GroupSettings;
  readonly createHash: CreateHash;
  /** Returns a function that signs event numbers with a key derived from this process and the text. */
  readonly createSigner: (text: string) => (number: number) => string;
  readonly bufferSize: () => number;
  /** Number of groups without streams that are kept for clients that reconnect. */
  readonly maxLingering: () => number;
  /** Called when the position has changed. */
  readonly onAdvance: () => void;
  /** Called with the streams of a group that has ended because of an error. */
  readonly onEnd: (streams: readonly LiveStream[], error: ApiError) => void;
}

export interface EnteringRequest extends Pick<JoiningRequest, 'lastId'> {
  /** Equal for requests that share a group. */
  readonly key: string;
  readonly watched: Watched;
  /** Aborts when the client disconnects. */
  readonly signal: CancelSignal | undefined;
  /** Opens the stream. Returns undefined if the server has ended. */
  readonly open: (group: LiveGroup) => LiveStream | undefined;
}

/** How long a group without streams is kept for clients that reconnect. */
const LINGER_MS = 60_000;

interface Member {
  readonly key: string;
  readonly group: LiveGroup;
  linger: NodeJS.Timeout | undefined;
  /** Requests that wait for a read. */
  waiting: number;
}

export class LiveHub {
  readonly counts: LiveCounts = { reads: 0, resets: 0 };
  readonly #options: LiveHubOptions;
  readonly #store: EventStore;
  readonly #interests = new Interests();
  readonly #feed: LogFeed;
  readonly #members: Map<string, Member> = new Map();
  /** Groups without streams, the one that has been idle longest first. */
  readonly #lingering: Set<Member> = new Set();
  #serial = 0;
  #position: LogPosition | undefined;
  /** Serializes the passing of transactions. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: LiveHubOptions) {
    this.#options = options;
    this.#store = new EventStore(options.bufferSize, options.memory);
    this.#feed = new LogFeed({
      ...options,
      onVisible: (transactions, position) => this.#pass(transactions, position),
      onPosition: (position) => this.#advance(position),
      onUnlogged: () => this.refresh(false),
      onReopened: () => this.refresh(true),
    });
  }

  /** All commits up to it have been passed on to the groups that they concern. */
  get position(): LogPosition | undefined {
    return this.#position;
  }

  /** Asks the database how far the log reaches. */
  askPosition(): void {
    this.#feed.ask();
  }

  get groups(): number {
    return this.#members.size;
  }

  /** Age in seconds of the oldest change that is not visible yet. */
  get lag(): number {
    return this.#feed.lag;
  }

  /** Opens a stream of the rows. Resolves after a read that began after the call. */
  async enter({ key, watched, signal, ...request }: EnteringRequest): Promise<Result<LiveStream, ApiError>> {
    const log = await this.#feed.request();
    if (!log.ok) {
      this.#rest();
      return log;
    }
    const member = this.#members.get(key) ?? this.#create(key, watched);
    if (member === undefined) return fail(noRoom(this.#options.memory, { needed: watched.byteLength, isNew: true }));
    clearTimeout(member.linger);
    this.#lingering.delete(member);
    member.waiting += 1;
    const open = (): LiveStream | undefined => (signal?.aborted === true ? undefined : request.open(member.group));
    try {
      const joined = await unlessAborted(member.group.join({ ...request, open }), signal);
      if (!joined.ok) return joined;
      return joined.value === undefined ? fail(REQUEST_CANCELLED) : ok(joined.value);
    } finally {
      member.waiting -= 1;
      this.settle(key);
    }
  }

  /** Call when a stream has left the group with this key. */
  settle(key: string): void {
    const member = this.#members.get(key);
    if (member === undefined || member.group.streams > 0 || member.waiting > 0) return;
    // No stream has ever joined: the clients have disconnected, or their role may not read the rows.
    if (!member.group.hasStarted) return this.#remove(member);
    clearTimeout(member.linger);
    member.linger = setTimeout(() => this.#remove(member), LINGER_MS);
    // Otherwise, clients that come and go would fill the memory with groups.
    this.#lingering.delete(member);
    this.#lingering.add(member);
    if (this.#lingering.size > this.#options.maxLingering()) this.#removeIdle();
  }

  /** Removes the group that has been idle longest, or else the oldest event. @returns whether there was one */
  giveUp(): boolean {
    return this.#removeIdle() || this.#store.dropOldest();
  }

  /** Reads all rows of all groups again. @param mustPlan whether configuration, schema or connection are new */
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
    this.#lingering.clear();
    await this.#feed.close();
  }

  /** @returns undefined if there is not enough memory */
  #create(key: string, watched: Watched): Member | undefined {
    const share = this.#options.memory.share();
    if (!share.resize(watched.byteLength)) return undefined;
    this.#serial += 1;
    const sign = this.#options.createSigner(`${this.#serial} ${key}`);
    const onEnd: LiveGroupOptions['onEnd'] = (streams, error) => {
      this.#forget(member);
      this.#options.onEnd(streams, error);
    };
    const { counts } = this;
    const options: LiveGroupOptions = {
      ...this.#options,
      watched,
      store: this.#store,
      interests: this.#interests,
      sign,
      counts,
      onEnd,
      position: () => this.#position,
    };
    const member: Member = { key, group: new LiveGroup(options, share), linger: undefined, waiting: 0 };
    this.#members.set(key, member);
    return member;
  }

  /** @returns whether there was a group without streams */
  #removeIdle(): boolean {
    const [oldest] = this.#lingering;
    if (oldest !== undefined) this.#remove(oldest);
    return oldest !== undefined;
  }

  #remove(member: Member): void {
    member.group.close();
    this.#forget(member);
  }

  #forget(member: Member): void {
    clearTimeout(member.linger);
    this.#lingering.delete(member);
    if (this.#members.get(member.key) === member) this.#members.delete(member.key);
    this.#rest();
  }

  /** Ends the replication connection if no group is left. */
  #rest(): void {
    if (this.#members.size === 0) void this.#feed.close();
  }

  #pass(transactions: readonly LogTransaction[], position: LogPosition | undefined): void {
    this.#work = this.#work.then(async () => {
      const passed = await attempt(() => this.#passNow(transactions, position), this.#options.observe);
      // It is unknown which groups the transactions concern.
      if (passed.ok) return;
      this.refresh(true);
      this.#reach(position);
    });
  }

  /** Takes effect behind the transactions before it. */
  #advance(position: LogPosition): void {
    this.#work = this.#work.then(() => this.#reach(position));
  }

  #reach(position: LogPosition | undefined): void {
    if (position === undefined) return;
    this.#position = position;
    this.#options.onAdvance();
  }

  async #passNow(
    transactions: readonly LogTransaction[],
    position: LogPosition | undefined,
  ): Promise<Result<void, ApiError>> {
    await this.#noticeDefinitions(new Map(transactions.flatMap(({ described }) => [...described])));
    for (const transaction of transactions) this.#interests.pass(transaction);
    // Before the groups begin to read, so that the position covers what they read.
    this.#reach(position);
    return ok(undefined);
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

/** Resolves with the promise, or with an error as soon as the signal aborts. */
function unlessAborted<T>(
  promise: Promise<Result<T, ApiError>>,
  signal: CancelSignal | undefined,
): Promise<Result<T, ApiError>> {
  if (signal === undefined) return promise;
  if (signal.aborted) return Promise.resolve(fail(REQUEST_CANCELLED));
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(fail(REQUEST_CANCELLED));
    signal.addEventListener('abort', leave);
    promise.finally(() => signal.removeEventListener('abort', leave)).then(resolve, reject);
  });
}
