// Streams that share one read: keeps their rows up to date, and sends each event once for all of them. One read at a
// time is under way.
import type { LogTransaction, RelationChanges } from '../../contract/log-changes.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findTouchedKeys } from '../../live/concerns.ts';
import { Dirt, type Work } from '../../live/dirt.ts';
import { EventRing } from '../../live/event-ring.ts';
import { renderChange, RESET } from '../../live/live-events.ts';
import { isEmpty, type RowsDifference } from '../../live/row-changes.ts';
import { type LiveRows, SentRows } from '../../live/sent-rows.ts';
import type { EventBody } from './event-body.ts';
import { isPassing } from './passing-errors.ts';
import type { LiveGroupOptions } from './live-group-options.ts';
import { type PlannedWatch, tooMany } from './live-reader.ts';

/** CPU time of a stream and event, with a margin of four, so that fan-out takes at most a quarter of a core. */
const PAUSE_PER_STREAM_MS = 0.08;
const RETRY_MS = 1000;
/** Retries of a read that fails for reasons that pass. */
const MAX_RETRIES = 30;

export class LiveGroup {
  readonly #options: LiveGroupOptions;
  readonly #ring: EventRing;
  readonly #dirt = new Dirt();
  readonly #streams: Set<EventBody> = new Set();
  /** Streams that wait for all rows, and whether they must discard what they have. */
  readonly #joining: Map<EventBody, boolean> = new Map();
  #plan: PlannedWatch | undefined;
  readonly #sent = new SentRows();
  #work: Work | undefined;
  #number = 0;
  #retries = 0;
  #earliest = 0;
  #timer: NodeJS.Timeout | undefined;
  #resync: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: LiveGroupOptions) {
    this.#options = options;
    this.#ring = new EventRing(options.store, 0);
  }

  get streams(): number {
    return this.#streams.size + this.#joining.size;
  }

  /** Reads all rows for the first time. */
  async start(): Promise<Result<void, ApiError>> {
    this.#work = { kind: 'all', mustPlan: true };
    const read = await this.#read(this.#work);
    this.#work = undefined;
    if (!read.ok) return read;
    this.#sent.replace(read.value);
    if (!this.#isOver) this.#resync = setInterval(() => this.refresh(true), this.#options.settings().resync * 1000);
    return ok(undefined);
  }

  /** @param lastId id of the last event that the client has received; undefined if it is new */
  join(body: EventBody, lastId: string | undefined): void {
    const events = lastId === undefined ? undefined : this.#eventsSince(lastId);
    if (events !== undefined) {
      for (const event of events) body.push(event);
      this.#streams.add(body);
    } else if (this.#isCurrent) {
      this.#sendAll(body, lastId !== undefined);
      this.#streams.add(body);
    } else {
      this.#joining.set(body, lastId !== undefined);
      this.#dirt.addAll();
    }
    this.#pump();
  }

  /** Sends all rows to a stream that was too slow to receive every event. */
  rejoin(body: EventBody): void {
    this.#streams.delete(body);
    this.#joining.set(body, true);
    this.#dirt.addAll();
    this.#pump();
  }

  leave(body: EventBody): void {
    this.#streams.delete(body);
    this.#joining.delete(body);
  }

  /** Takes note of changes that the database shows now. */
  take({ changes }: LogTransaction): void {
    const plan = this.#plan;
    if (plan === undefined) this.#dirt.addAll();
    else for (const [oid, change] of changes) this.#touch(plan, oid, change);
    this.#pump();
  }

  /** Reads all rows again. @param mustPlan whether to plan first, because what the read depends on may have changed */
  refresh(mustPlan: boolean): void {
    this.#dirt.addAll(mustPlan);
    this.#pump();
  }

  /** Whether the read depends on any of these relations. */
  dependsOn(oids: ReadonlySet<number>): boolean {
    const relations = this.#plan?.sources.relations;
    return relations === undefined || [...oids].some((oid) => relations.has(oid));
  }

  /** Ends the group without a word to its streams. */
  close(): readonly EventBody[] {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearInterval(this.#resync);
    this.#ring.clear();
    return [...this.#streams, ...this.#joining.keys()];
  }

  get #isCurrent(): boolean {
    const isIdle = this.#dirt.isClean && this.#work === undefined;
    return isIdle && (this.#sent.isOrdered || this.#plan?.live.isUnordered === true);
  }

  #touch(plan: PlannedWatch, oid: number, changes: RelationChanges): void {
    const { sources, keyed, live } = plan;
    if (sources.policyTables.has(oid) || sources.isOpaque || live.usesUnknownFunctions) return this.#dirt.addAll();
    if (!sources.tables.has(oid)) return;
    const isListed = keyed !== undefined && changes !== 'all';
    const keys = isListed ? findTouchedKeys(changes, keyed, (key) => this.#isKnown(key)) : undefined;
    if (keys === undefined) this.#dirt.addAll();
    else this.#dirt.addKeys(keys, this.#sent.size);
  }

  /** A key that is being read may become part of the result although it was never sent. */
  #isKnown(key: string): boolean {
    const work = this.#work;
    if (work?.kind === 'all' || work?.keys.includes(key) === true) return true;
    return this.#sent.has(key) || this.#dirt.has(key);
  }

  #pump(): void {
    const isIdle = this.#dirt.isClean || this.streams === 0;
    if (this.#work !== undefined || this.#isOver || isIdle) return;
    const wait = this.#earliest - performance.now();
    if (wait <= 0) void this.#run();
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#pump();
      }, wait);
  }

  async #run(): Promise<void> {
    const work = this.#dirt.take();
    this.#work = work;
    // Streams that join later wait for a read that begins after they came.
    const waiting = work.kind === 'all' ? [...this.#joining.keys()] : [];
    const begun = performance.now();
    const read = await this.#read(work);
    if (this.#isOver) return;
    this.#work = undefined;
    if (read.ok) {
      this.#retries = 0;
      this.#apply(work, read.value);
      if (this.#excess !== undefined) return this.#options.onFailure(this.#excess);
      this.#admit(waiting);
      const interval = this.#plan?.keyed === undefined ? this.#options.settings().interval : 0;
      this.#earliest = Math.max(begun + interval, performance.now() + PAUSE_PER_STREAM_MS * this.streams);
    } else if (!this.#mayRetry(read.error)) return this.#options.onFailure(read.error);
    this.#pump();
  }

  #mayRetry(error: ApiError): boolean {
    this.#retries += 1;
    this.#dirt.addAll(true);
    this.#earliest = performance.now() + RETRY_MS;
    return isPassing(error) && this.#retries <= MAX_RETRIES;
  }

  /** A failed plan keeps the one before, which still tells what the rows depend on. */
  async #read(work: Work): Promise<Result<LiveRows, ApiError>> {
    const { reader, watched, counts } = this.#options;
    counts.reads += 1;
    if (work.kind === 'all' && work.mustPlan) {
      const planned = await reader.plan(watched);
      if (!planned.ok) return planned;
      this.#plan = planned.value;
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
    if (change === 'all') this.#emit((id) => this.#sent.render(id));
    else if (change !== 'same' && this.#excess === undefined) this.#emitChange(change);
  }

  /** The error if rows that were read one by one have become too many. */
  get #excess(): ApiError | undefined {
    const maximum = this.#plan?.maximum;
    return maximum !== undefined && this.#sent.size > maximum.rows ? tooMany(maximum) : undefined;
  }

  #emitChange(difference: RowsDifference): void {
    const key = this.#plan?.keyed?.key;
    if (key !== undefined && !isEmpty(difference)) this.#emit((id) => renderChange(difference, key, id));
  }

  #emit(render: (id: string) => Uint8Array): void {
    this.#number += 1;
    const event = render(this.#id);
    this.#ring.add(this.#number, event);
    for (const body of this.#streams) body.push(event);
  }

  #admit(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const mustReset = this.#joining.get(body);
      if (mustReset === undefined) continue;
      this.#joining.delete(body);
      this.#streams.add(body);
      this.#sendAll(body, mustReset);
    }
  }

  #sendAll(body: EventBody, mustReset: boolean): void {
    if (mustReset) {
      this.#options.counts.resets += 1;
      body.push(RESET);
    }
    body.push(this.#sent.render(this.#id));
  }

  get #id(): string {
    return `${this.#options.epoch}-${this.#number}`;
  }

  #eventsSince(id: string): readonly Uint8Array[] | undefined {
    const { epoch } = this.#options;
    const number = id.startsWith(`${epoch}-`) ? Number(id.slice(epoch.length + 1)) : NaN;
    return Number.isSafeInteger(number) && number <= this.#number ? this.#ring.since(number) : undefined;
  }
}
