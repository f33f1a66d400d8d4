// Streams that share one read: keeps their rows up to date, and sends each event once for all of them. One read at a
// time is under way.
import type { LogTransaction, RelationChanges } from '../../contract/log-changes.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findTouchedKeys } from '../../live/concerns.ts';
import { Dirt, type Work } from '../../live/dirt.ts';
import { EventRing } from '../../live/event-ring.ts';
import type { Interest } from '../../live/interests.ts';
import type { LiveSources } from '../../live/live-sources.ts';
import { renderChange, RESET } from '../../live/live-events.ts';
import { isEmpty, type RowsDifference } from '../../live/row-changes.ts';
import { type LiveRows, SentRows } from '../../live/sent-rows.ts';
import type { EventBody } from './event-body.ts';
import { GroupStreams } from './group-streams.ts';
import type { LiveGroupOptions } from './live-group-options.ts';
import { type PlannedWatch, tooMany } from './live-reader.ts';
import { ReadPace } from './read-pace.ts';
import { ResyncTimer } from './resync-timer.ts';

type Verdict = Result<void, ApiError>;

export class LiveGroup {
  /** Whether all rows have been read once. */
  hasStarted = false;
  readonly #options: LiveGroupOptions;
  readonly #ring: EventRing;
  readonly #dirt = new Dirt();
  readonly #streams = new GroupStreams();
  /** Requests that wait for a read that begins after they came. */
  #checks: ((verdict: Verdict) => void)[] = [];
  #plan: PlannedWatch | undefined;
  readonly #pace = new ReadPace();
  readonly #sent = new SentRows();
  readonly #interest: Interest;
  #work: Work | undefined;
  readonly #resync: ResyncTimer;
  /** Aborts when the group is over. */
  readonly #ending = new AbortController();

  constructor(options: LiveGroupOptions) {
    this.#options = options;
    this.#ring = new EventRing(options.store, options.epoch);
    this.#resync = new ResyncTimer(
      () => options.settings().resync,
      () => this.refresh(true),
    );
    this.#interest = options.interests.enter((transaction) => this.#take(transaction));
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Reads all rows for the first time. */
  async start(): Promise<Verdict> {
    const work: Work = { kind: 'all', mustPlan: true };
    this.#begin(work);
    const read = await this.#read(work);
    if (read.ok) this.#sent.replace(read.value);
    this.#end(work);
    if (!read.ok) return read;
    this.hasStarted = true;
    if (!this.#isOver) this.#resync.start();
    return ok(undefined);
  }

  /** Reads all rows again, once for all who ask meanwhile: whether the role may still do that. */
  check(): Promise<Verdict> {
    return new Promise((resolve) => {
      this.#checks.push(resolve);
      this.refresh(false);
    });
  }

  /** @param lastId id of the last event that the client has received; undefined if it is new */
  join(body: EventBody, lastId: string | undefined): void {
    const events = lastId === undefined ? undefined : this.#ring.since(lastId);
    if (events !== undefined) {
      for (const event of events) body.push(event);
      this.#streams.add(body);
    } else if (this.#sent.isOrdered || this.#plan?.live.isUnordered === true) {
      this.#sendAll(body, lastId !== undefined);
      this.#streams.add(body);
    } else {
      this.#streams.await(body, lastId !== undefined);
      this.#dirt.addAll();
    }
    this.#pump();
  }

  /** Sends no more to a stream whose client is too slow, until `rejoin`. */
  suspend(body: EventBody): void {
    this.#streams.suspend(body);
  }

  /** Sends all rows to a stream that was too slow to receive every event. */
  rejoin(body: EventBody): void {
    this.#streams.await(body, true);
    this.#dirt.addAll();
    this.#pump();
  }

  leave(body: EventBody): void {
    this.#streams.delete(body);
  }

  /** Reads all rows again. @param mustPlan whether to plan first, because what the read depends on may have changed */
  refresh(mustPlan: boolean): void {
    this.#dirt.addAll(mustPlan);
    this.#pump();
  }

  /** What the read depends on; undefined before it is planned. */
  get sources(): LiveSources | undefined {
    return this.#plan?.sources;
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Ends the group without a word to its streams. Whoever waits finds out that the server has ended. */
  close(): readonly EventBody[] {
    this.#ending.abort();
    this.#interest.leave();
    for (const check of this.#checks.splice(0)) check(ok(undefined));
    this.#pace.stop();
    this.#resync.stop();
    this.#ring.clear();
    return this.#streams.all;
  }

  /** Takes note of changes that the database shows now. */
  #take({ changes }: LogTransaction): void {
    const plan = this.#plan;
    if (plan === undefined) this.#dirt.addAll();
    else for (const [oid, change] of changes) this.#touch(plan, oid, change);
    this.#pump();
  }

  #touch({ sources, dependence, keyed }: PlannedWatch, oid: number, changes: RelationChanges): void {
    if (dependence.relations === 'any' || sources.policyTables.has(oid)) return this.#dirt.addAll();
    if (!sources.tables.has(oid)) return;
    const isListed = keyed !== undefined && changes !== 'all';
    const keys = isListed ? findTouchedKeys(changes, keyed, (key) => this.#interest.knows(key)) : undefined;
    if (keys === undefined) this.#dirt.addAll(changes === 'all');
    else if (this.#dirt.addKeys(keys, this.#sent.size)) this.#interest.know(keys);
  }

  #begin(work: Work): void {
    this.#work = work;
    if (work.kind === 'all') this.#interest.open();
  }

  /** A key that is being read may become part of the rows, so it is known until then. */
  #end(work: Work): void {
    this.#work = undefined;
    if (work.kind === 'all') return this.#interest.close([...this.#sent.keys, ...this.#dirt.keys]);
    for (const key of work.keys) if (!this.#sent.has(key) && !this.#dirt.has(key)) this.#interest.forget(key);
  }

  #pump(): void {
    const isAwaited = this.#checks.length > 0;
    const isIdle = this.#dirt.isClean || (this.#streams.listening === 0 && !isAwaited);
    if (this.#work !== undefined || this.#isOver || isIdle) return;
    if (this.#pace.isDue(isAwaited, () => this.#pump())) void this.#run();
  }

  async #run(): Promise<void> {
    const work = this.#dirt.take();
    this.#begin(work);
    // Streams that join later wait for a read that begins after they came.
    const waiting = work.kind === 'all' ? this.#streams.joining : [];
    const checks = this.#checks.splice(0);
    const begun = performance.now();
    const read = await this.#read(work);
    const verdict = read.ok ? this.#accept(work, read.value) : read;
    this.#end(work);
    for (const check of checks) check(verdict);
    if (this.#isOver) return;
    if (verdict.ok) {
      this.#admit(waiting);
      const interval = this.#plan?.keyed === undefined ? this.#options.settings().interval : 0;
      this.#pace.noteRead(begun + interval, this.#streams.listening);
    } else if (this.#pace.mayRetry(verdict.error)) this.#dirt.addAll(true);
    else {
      for (const check of this.#checks.splice(0)) check(verdict);
      return this.#options.onFailure(verdict.error);
    }
    this.#pump();
  }

  #accept(work: Work, read: LiveRows): Verdict {
    if (this.#isOver) return ok(undefined);
    this.#apply(work, read);
    return this.#excess === undefined ? ok(undefined) : fail(this.#excess);
  }

  /** A failed plan keeps the one before, which still tells what the rows depend on. */
  async #read(work: Work): Promise<Result<LiveRows, ApiError>> {
    const { reader, watched, counts } = this.#options;
    counts.reads += 1;
    if (work.kind === 'all' && work.mustPlan) {
      const planned = await reader.plan(watched, this.#ending.signal);
      if (!planned.ok) return planned;
      this.#plan = planned.value;
      if (!this.#isOver) this.#interest.depend(planned.value.dependence);
    }
    const plan = this.#plan;
    if (plan === undefined) throw new Error('a live read has no plan');
    if (work.kind === 'all') return reader.readAll(watched, plan);
    const rows = await reader.readTouched(watched, plan, work.keys);
    return rows.ok ? ok({ kind: 'keyed', rows: rows.value }) : rows;
  }

  #apply(work: Work, read: LiveRows): void {
    const isTouched = work.kind === 'keys' && read.kind === 'keyed';
    const change = isTouched ? this.#sent.change(work.keys, read.rows) : this.#sent.replace(read);
    if (change === 'all') this.#streams.send(this.#ring.add((id) => this.#sent.render(id)));
    else if (change !== 'same' && this.#excess === undefined) this.#emitChange(change);
  }

  /** The error if rows that were read one by one have become too many. */
  get #excess(): ApiError | undefined {
    const maximum = this.#plan?.maximum;
    return maximum !== undefined && this.#sent.size > maximum.rows ? tooMany(maximum) : undefined;
  }

  #emitChange(difference: RowsDifference): void {
    const key = this.#plan?.keyed?.key;
    if (key !== undefined && !isEmpty(difference))
      this.#streams.send(this.#ring.add((id) => renderChange(difference, key, id)));
  }

  #admit(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const mustReset = this.#streams.admit(body);
      if (mustReset !== undefined) this.#sendAll(body, mustReset);
    }
  }

  #sendAll(body: EventBody, mustReset: boolean): void {
    if (mustReset) {
      this.#options.counts.resets += 1;
      body.push(RESET);
    }
    body.push(this.#sent.render(this.#ring.id));
  }
}
