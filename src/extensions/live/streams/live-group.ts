// Streams that share one read: reads the rows that have changed, and encodes each event once for all streams. One read
// runs at a time. Any failure ends the streams with an error and closes the group, so no client waits forever.
import type { LogTransaction, RelationChanges } from '../log/log-changes.ts';
import type { LogPosition } from '../../../contract/log-position.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { findTouchedKeys } from '../events/concerns.ts';
import { StaleRows, type Work } from '../events/stale-rows.ts';
import { EventRing, type EventStore } from '../events/event-ring.ts';
import type { Interest, Interests } from '../events/interests.ts';
import { type LiveEvent, renderChange, renderRows, RESET } from '../events/live-events.ts';
import type { LiveMemory, MemoryShare } from '../events/live-memory.ts';
import type { LiveSources } from '../events/live-sources.ts';
import { isEmpty, type RowsDifference } from '../events/row-changes.ts';
import { type CreateHash, type LiveRows, SentRows } from '../events/sent-rows.ts';
import type { Observe } from '../../../observe/observation.ts';
import { runSlicesWithPauses, type Slices, visitInSlices } from '../../../util/slices.ts';
import { noteCrash } from './attempt.ts';
import type { LiveStream } from './live-response.ts';
import { GroupStreams } from './group-streams.ts';
import { type LiveReader, noRoom, type PlannedWatch, tooMany, type Watched } from './live-reader.ts';
import { ReadPace, ResyncTimer } from './read-pace.ts';

export interface LiveGroupOptions {
  readonly watched: Watched;
  readonly reader: LiveReader;
  readonly memory: LiveMemory;
  readonly store: EventStore;
  /** Passes changes of the database on to the group. */
  readonly interests: Interests;
  /** Returns a keyed hash of the group and the number of an event, for its id. */
  readonly sign: (number: number) => string;
  readonly createHash: CreateHash;
  readonly settings: () => GroupSettings;
  /** Returns up to where all commits that concern the group have been passed on to it. */
  readonly position: () => LogPosition | undefined;
  readonly counts: LiveCounts;
  readonly observe: Observe;
  /** Called with the streams of the group when an error has ended it. */
  readonly onEnd: (streams: readonly LiveStream[], error: ApiError) => void;
}

/** A request for a stream. It waits for a read that begins after its arrival. */
export interface JoiningRequest {
  /** Id of the last event that the client has received; undefined if it is new. */
  readonly lastId: string | undefined;
  /** Opens the stream. Returns undefined if the client has disconnected. */
  readonly open: () => LiveStream | undefined;
}

export interface GroupSettings {
  /** Milliseconds between two reads of all rows. */
  readonly interval: number;
  /** Seconds. */
  readonly resync: number;
}

export interface LiveCounts {
  reads: number;
  resets: number;
}

type Verdict = Result<void, ApiError>;

interface WaitingRequest extends JoiningRequest {
  readonly settle: (joined: Result<LiveStream | undefined, ApiError>) => void;
}

/** The reason for one read, and the streams that wait for it. */
interface Round {
  readonly work: Work;
  readonly requests: readonly WaitingRequest[];
  readonly returning: readonly LiveStream[];
  readonly share: MemoryShare;
  /** The rows contain all commits up to it. */
  readonly position: LogPosition | undefined;
}

const GIVEN_UP: ApiError = { kind: 'overloaded', details: 'The rows are no longer watched', option: undefined };

export class LiveGroup {
  /** Whether all rows have been read once. */
  hasStarted = false;
  readonly #options: LiveGroupOptions;
  readonly #ring: EventRing;
  readonly #stale = new StaleRows();
  readonly #streams = new GroupStreams();
  #requests: WaitingRequest[] = [];
  /** Requests that the current read serves. */
  #admitting: readonly WaitingRequest[] = [];
  #plan: PlannedWatch | undefined;
  /** Whether clients must discard their rows, because they belong to an earlier schema. */
  #mustReset = false;
  readonly #pace = new ReadPace();
  readonly #sent: SentRows;
  /** Memory of the data that is kept between reads. */
  readonly #share: MemoryShare;
  readonly #interest: Interest;
  #isReading = false;
  /** What the streams have received contains all commits up to it. */
  #contained: LogPosition | undefined;
  /** The stream that is receiving events which others have received before. */
  #welcoming: LiveStream | undefined;
  readonly #resync: ResyncTimer;
  /** Aborts when the group is over. */
  readonly #ending = new AbortController();

  /** @param share has the size of the group without its rows */
  constructor(options: LiveGroupOptions, share: MemoryShare) {
    this.#options = options;
    this.#share = share;
    this.#sent = new SentRows(options.createHash);
    this.#ring = new EventRing(options.store, options.sign);
    this.#resync = new ResyncTimer(
      () => options.settings().resync,
      () => this.refresh(true),
    );
    this.#interest = options.interests.enter((transaction) => this.#take(transaction));
    this.#stale.addAll(true);
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** What the read depends on; undefined before it is planned. */
  get sources(): LiveSources | undefined {
    return this.#plan?.sources;
  }

  /**
   * Opens a stream after a new read of all rows: rows that were read before the request arrived may no longer be
   * visible. Requests that arrive during a read share the next one. Resolves with undefined if the client has disconnected.
   */
  join(request: JoiningRequest): Promise<Result<LiveStream | undefined, ApiError>> {
    return new Promise((settle) => {
      this.#requests.push({ ...request, settle });
      this.refresh(false);
    });
  }

  /** Returns up to where the events of the group contain all commits; undefined if the stream lacks some of them. */
  positionOf(stream: LiveStream): LogPosition | undefined {
    if (stream === this.#welcoming || !this.#streams.isCurrent(stream)) return undefined;
    return this.#isSettled ? this.#options.position() : this.#contained;
  }

  /** Whether there is nothing to read, so that the streams contain everything that has been passed on. */
  get #isSettled(): boolean {
    return this.hasStarted && this.#stale.isEmpty && !this.#isReading;
  }

  /** Call before something may have to be read. */
  #leaveSettled(): void {
    if (this.#isSettled) this.#contained = this.#options.position();
  }

  /** Sends no events to a stream with a slow client until `rejoin`. */
  suspend(stream: LiveStream): void {
    this.#streams.suspend(stream);
  }

  /** Sends all rows to a stream that was too slow to receive every event. */
  rejoin(stream: LiveStream): void {
    this.#streams.await(stream);
    this.refresh(false);
  }

  leave(stream: LiveStream): void {
    this.#streams.delete(stream);
  }

  /** Reads all rows again. @param mustPlan whether to plan first, because what the read depends on may have changed */
  refresh(mustPlan: boolean): void {
    this.#leaveSettled();
    this.#stale.addAll(mustPlan);
    this.#pump();
  }

  /**
   * Ends the group. Returns its streams, which stay open.
   *
   * @param error that waiting requests get
   */
  close(error: ApiError = GIVEN_UP): readonly LiveStream[] {
    this.#ending.abort();
    this.#interest.leave();
    this.#pace.stop();
    this.#resync.stop();
    this.#ring.forget();
    this.#share.release();
    for (const request of [...this.#admitting, ...this.#requests.splice(0)]) request.settle(fail(error));
    return this.#streams.all;
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  #end(error: ApiError): void {
    if (!this.#isOver) this.#options.onEnd(this.close(error), error);
  }

  /** Notes changes that have become visible. */
  #take({ changes }: LogTransaction): void {
    try {
      this.#leaveSettled();
      const plan = this.#plan;
      if (plan === undefined) this.#stale.addAll();
      else for (const [oid, change] of changes) this.#touch(plan, oid, change);
    } catch (error) {
      this.#end(noteCrash(error, this.#options.observe));
    }
    // When all transactions that have become visible together are noted.
    queueMicrotask(() => this.#pump());
  }

  #touch({ sources, dependence, keyed }: PlannedWatch, oid: number, changes: RelationChanges): void {
    if (dependence.relations === 'any' || sources.policyTables.has(oid)) return this.#stale.addAll();
    if (!sources.tables.has(oid)) return;
    const isListed = keyed !== undefined && changes !== 'all';
    const keys = isListed ? findTouchedKeys(changes, keyed, (key) => this.#interest.knows(key)) : undefined;
    if (keys === undefined) this.#stale.addAll(changes === 'all');
    else if (this.#stale.addKeys(keys, this.#sent.size)) this.#interest.know(keys);
  }

  #pump(): void {
    const isAwaited = this.#requests.length > 0;
    const isIdle = this.#stale.isEmpty || (this.#streams.listening === 0 && !isAwaited);
    if (this.#isReading || this.#isOver || isIdle) return;
    if (this.#pace.isDue(isAwaited, () => this.#pump())) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    const work = this.#stale.take();
    const position = this.#options.position();
    // Later requests and streams wait for a read that begins after their arrival.
    const requests = work.kind === 'all' ? this.#requests.splice(0) : [];
    this.#admitting = requests;
    const returning = work.kind === 'all' ? this.#streams.returning : [];
    const share = this.#options.memory.shareOfRead();
    const begun = performance.now();
    try {
      const verdict = await this.#update({ work, requests, returning, share, position });
      if (verdict.ok) this.#noteRead(begun);
      else this.#noteFailure(verdict.error, requests);
    } catch (error) {
      this.#end(noteCrash(error, this.#options.observe));
    } finally {
      share.release();
      this.#isReading = false;
      this.#admitting = [];
    }
    this.#pump();
  }

  #noteRead(begun: number): void {
    const interval = this.#plan?.keyed === undefined ? this.#options.settings().interval : 0;
    this.#pace.noteRead(begun + interval, this.#streams.listening);
  }

  /** Waiting requests get every error. Streams get only errors that a retry cannot fix. */
  #noteFailure(error: ApiError, requests: readonly WaitingRequest[]): void {
    for (const request of requests) request.settle(fail(error));
    const mayRetry = this.#pace.mayRetry(error) && this.hasStarted;
    if (mayRetry) this.#stale.addAll(true);
    else this.#end(error);
  }

  /** Reads the rows that may have changed, and sends the differences. */
  async #update(round: Round): Promise<Verdict> {
    const { work } = round;
    if (work.kind === 'all') this.#interest.open();
    const read = await this.#read(round);
    const difference = read.ok && !this.#isOver ? await this.#compare(work, read.value) : undefined;
    this.#settleKeys(work);
    if (!read.ok) {
      // All rows may cost less than those with the touched keys.
      if (work.kind === 'all' || read.error.kind !== 'costExceeded') return read;
      this.#stale.addAll();
    }
    if (!read.ok || difference === undefined || this.#isOver) return ok(undefined);
    const excess = this.#findExcess();
    if (excess !== undefined) return fail(excess);
    await this.#send(difference, read.value, round);
    return ok(undefined);
  }

  /** If planning fails, the previous plan stays, because it still names the tables that the rows depend on. */
  async #read({ work, share }: Round): Promise<Result<LiveRows, ApiError>> {
    const { reader, watched, counts } = this.#options;
    counts.reads += 1;
    if (work.kind === 'all' && work.mustPlan) {
      const planned = await reader.plan(watched, this.#plan, this.#ending.signal);
      if (!planned.ok) return planned;
      this.#mustReset ||= this.#plan !== undefined && needsReset(this.#plan, planned.value);
      this.#plan = planned.value;
      // Keys that were touched meanwhile may not be those of the new plan.
      if (!this.#stale.isEmpty) this.#stale.addAll();
      if (!this.#isOver) this.#interest.depend(planned.value.dependence);
    }
    const plan = this.#plan;
    if (plan === undefined) throw new Error('a live read has no plan');
    const limit = { share, isNew: !this.hasStarted };
    return work.kind === 'all' ? reader.readAll(plan, limit) : reader.readTouched(plan, { ...limit, keys: work.keys });
  }

  #compare(work: Work, read: LiveRows): Promise<RowsDifference | 'all' | 'same'> {
    return this.#runSlices(
      work.kind === 'keys' && read.kind === 'keyed'
        ? this.#sent.change(work.keys, read.lines)
        : this.#sent.replace(read),
    );
  }

  async #runSlices<T>(slices: Slices<T>): Promise<T> {
    return runSlicesWithPauses(slices, this.#options.reader.pause);
  }

  /** Forgets keys that were read but do not belong to the result. Until then they might have joined it. */
  #settleKeys(work: Work): void {
    if (work.kind === 'all') return this.#interest.close([...this.#sent.keys, ...this.#stale.keys]);
    for (const key of work.keys) if (!this.#sent.has(key) && !this.#stale.has(key)) this.#interest.forget(key);
  }

  /** The error if the rows have become too many or too long. */
  #findExcess(): ApiError | undefined {
    const maximum = this.#plan?.maximum;
    if (maximum !== undefined && this.#sent.size > maximum.rows) return tooMany(maximum);
    const { memory, watched } = this.#options;
    const needed = watched.byteLength + this.#sent.bytes;
    // A retry would no longer find the change, so the error must end the group.
    return this.#share.resize(needed)
      ? undefined
      : noRoom({ maxBytes: memory.maxBytes, reads: 1 }, { needed, isNew: !this.hasStarted });
  }

  async #send(difference: RowsDifference | 'all' | 'same', read: LiveRows, round: Round): Promise<void> {
    let rows: LiveEvent | undefined;
    const { position } = round;
    const render = async (id: string): Promise<LiveEvent> =>
      (rows ??= await this.#runSlices(renderRows(read, { id, position })));
    const mustReset = this.#mustReset;
    this.#mustReset = false;
    const change = this.#start() || isNothing(difference) ? 'same' : mustReset ? 'all' : difference;
    if (change === 'all') {
      const event = await render(this.#ring.nextId);
      if (this.#isOver) return;
      this.#ring.addWhole(event);
      if (mustReset) await this.#runSlices(this.#streams.send(RESET));
      await this.#runSlices(this.#streams.send(event));
    } else if (change !== 'same') await this.#sendChange(change, round);
    const missed = round.requests.map(({ lastId }) => (lastId === undefined ? undefined : this.#ring.since(lastId)));
    if (round.returning.length > 0 || missed.includes(undefined)) await render(this.#ring.id);
    for (const stream of round.returning)
      if (this.#streams.isReturning(stream)) this.#welcome(stream, this.#begin(rows, true), position);
    await this.#runSlices(
      visitInSlices(round.requests.entries(), ([index, request]) => {
        if (this.#isOver) return;
        this.#admit(request, missed[index] ?? this.#begin(rows, request.lastId !== undefined), position);
      }),
    );
    this.#contained = position;
  }

  /** @returns whether the rows have been read for the first time */
  #start(): boolean {
    if (this.hasStarted) return false;
    this.hasStarted = true;
    this.#resync.start();
    return true;
  }

  async #sendChange(difference: RowsDifference, { work, position }: Round): Promise<void> {
    const key = this.#plan?.keyed?.key;
    if (key === undefined) return;
    const event = await this.#runSlices(renderChange(difference, key, { id: this.#ring.nextId, position }));
    if (this.#isOver) return;
    // Rows that are missing from a full read may have become invisible, so no client may get their old events again.
    if (work.kind === 'all' && difference.deleted.length > 0) this.#ring.forget();
    this.#ring.add(event);
    await this.#runSlices(this.#streams.send(event));
  }

  #admit({ open, settle }: WaitingRequest, events: readonly LiveEvent[], position: LogPosition | undefined): void {
    const stream = open();
    if (stream !== undefined) this.#welcome(stream, events, position);
    settle(ok(stream));
  }

  #begin(rows: LiveEvent | undefined, mustReset: boolean): readonly LiveEvent[] {
    if (rows === undefined) throw new Error('the rows of a live response are missing');
    if (!mustReset) return [rows];
    this.#options.counts.resets += 1;
    return [RESET, rows];
  }

  /** @param position up to which the stream contains all commits behind the events */
  #welcome(stream: LiveStream, events: readonly LiveEvent[], position: LogPosition | undefined): void {
    this.#streams.add(stream);
    this.#welcoming = stream;
    // After an event that was too much for a slow client, it gets none before all rows.
    for (const event of events) if (this.#streams.isCurrent(stream)) stream.push(event);
    this.#welcoming = undefined;
    if (this.#streams.isCurrent(stream)) stream.reach(position);
  }
}

function isNothing(difference: RowsDifference | 'all' | 'same'): boolean {
  return typeof difference !== 'string' && isEmpty(difference);
}

/** After a change of the schema, only rows with the same key can be told apart by it. */
function needsReset(before: PlannedWatch, after: PlannedWatch): boolean {
  const [old, key] = [before, after].map(({ keyed }) => keyed?.key.map(({ name }) => name).join('\n'));
  return before.work.planning !== after.work.planning && (key === undefined || key !== old);
}
