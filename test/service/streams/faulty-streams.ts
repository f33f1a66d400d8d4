// The streams of a server whose dependencies are kept in memory, and throw at one call of many: each call is an `await`
// of `extensions/live/streams`. Time is that of the test.
import type { BodySink, BodyStream } from '../../../src/contract/body-stream.ts';
import type { RelationChanges } from '../../../src/extensions/live/log/log-changes.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ScriptResults } from '../../../src/contract/transaction.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { prepareRequest } from '../../../src/serve/prepare-request.ts';
import { PlanCache, type Planning } from '../../../src/prepare/plan-cache.ts';
import { planningOf, type RequestContext } from '../../../src/serve/request-context.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { findSubjects } from '../../../src/extensions/live/index.ts';
import { ServiceStreams, type ServiceStreamsOptions } from '../../../src/extensions/live/streams/service-streams.ts';
import { contextOf, type Stages, toRequest } from '../../support/request-stages.ts';

const TABLE = 16_384;
type LogOptions = Parameters<ServiceStreamsOptions['live']['open']>[0];
type Listening = Parameters<ServiceStreamsOptions['channels']['open']>[0];

/** Throws at the call with one number, at once or as a rejection. */
export class Faults {
  readonly names: string[] = [];
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  /** @param name of the call */
  async pass<T>(name: string, call: () => T | Promise<T>): Promise<T> {
    this.passNow(name);
    return call();
  }

  passNow(name: string): void {
    this.names.push(name);
    if (this.names.length === this.#at) throw new Error(`call ${this.#at} (${name}) has failed`);
  }
}

export class FaultyStreams {
  readonly rows: Map<number, string> = new Map([[1, 'one']]);
  readonly crashes: string[] = [];
  /** Whether reads by key exceed the cost budget. */
  areKeysTooDear = false;
  /** Reads wait for it. */
  gate: Promise<unknown> = Promise.resolve();
  /** Plans wait for it. */
  planGate: Promise<unknown> = Promise.resolve();
  /** Replica identity of the table. */
  identity = 'd';
  readonly streams: ServiceStreams;
  readonly #faults: Faults;
  readonly #stages: Stages;
  readonly #url: string;
  #log: LogOptions | undefined;
  #listening: Listening | undefined;
  #xid = 10;
  #served: Served;

  /** @param url of the rows that are watched */
  constructor(stages: Stages, url: string, faults: Faults) {
    this.#stages = stages;
    this.#url = url;
    this.#faults = faults;
    this.#served = serve(stages);
    this.streams = new ServiceStreams({
      context: () => this.#createContext(),
      channels: {
        gapName: 'gap',
        observe: ({ kind }) => this.crashes.push(kind),
        open: (listening) => this.#faults.pass('channels.open', () => this.#listen(listening)),
      },
      live: {
        observe: (observation) => {
          if (observation.kind === 'handlerCrashed') this.crashes.push(observation.reason);
        },
        open: (log) => this.#faults.pass('log.open', () => this.#openLog(log)),
        query: (text) => this.#faults.pass('query', () => this.#answer(text)),
      },
    });
  }

  get sorted(): readonly (readonly [number, string])[] {
    return [...this.rows].toSorted(([a], [b]) => a - b);
  }

  async watch(lastId?: string, signal?: AbortSignal): Promise<Result<BodyStream, ApiError>> {
    const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
    const identity = { role: 'web_anon', claimsText: '{}', isAnonymous: true };
    const request = toRequest(`GET ${this.#url}`, headers);
    const { context, planning } = this.#served;
    const work = {
      request,
      identity,
      planning,
      context,
      phases: undefined,
      hold: undefined,
      script: undefined,
      legacyNames: [],
    };
    const prepared = await prepareRequest(work);
    if (!prepared.ok) return prepared;
    if (prepared.value.kind !== 'events' || prepared.value.live === undefined) throw new Error('no rows to watch');
    const { live } = prepared.value;
    const explain = (error: ApiError): Promise<ApiError> => Promise.resolve(error);
    return this.streams.watch([{ readId: undefined, live: ok(live), work, lastId, explain }], false, signal);
  }

  /** Replaces the schema cache, so that everything is planned again. */
  replace(): void {
    this.#served = serve(this.#stages);
    this.streams.refresh();
  }

  /** Changes a row; the log reports it. @param definition a changed definition of the table */
  write(id: number, name: string | undefined, definition?: string): void {
    if (name === undefined) this.rows.delete(id);
    else this.rows.set(id, name);
    const changes: RelationChanges = [
      {
        columns: ['id', 'name'],
        before: name === undefined ? [String(id), null] : undefined,
        after: name === undefined ? undefined : [String(id), name],
      },
    ];
    const described = definition === undefined ? [] : ([[TABLE, definition]] as const);
    this.#xid += 1;
    this.#log?.onTransaction({
      xid: this.#xid,
      position: { timeline: 1, lsn: BigInt(this.#xid) },
      byteLength: 10,
      changes: new Map([[TABLE, changes]]),
      described: new Map(described),
    });
  }

  notify(channel: string, payload: string): void {
    this.#listening?.onNotification(channel, payload);
  }

  /** The connection to the database is lost. */
  lose(): void {
    this.#log?.onLoss('lost');
    this.#listening?.onLoss('lost');
  }

  #createContext(): ReturnType<ServiceStreamsOptions['context']> {
    return {
      ...this.#served.context,
      retryAfter: () => 1,
      pause: () => this.#faults.pass('pause', () => undefined),
      findVisibleNames: () => this.#faults.pass('findVisibleNames', () => new Map() as never),
      runScript: (script: TransactionScript) =>
        this.#faults.pass('runScript', () => this.gate.then(() => this.#run(script))),
    };
  }

  #openLog(log: LogOptions): ReturnType<ServiceStreamsOptions['live']['open']> {
    this.#log = log;
    const close = (): Promise<void> => this.#faults.pass('log.close', () => undefined);
    return Promise.resolve(
      ok({ start: { timeline: 1, lsn: 0n }, ask: () => {}, pause: () => {}, resume: () => {}, close }),
    );
  }

  #listen(listening: Listening): ReturnType<ServiceStreamsOptions['channels']['open']> {
    this.#listening = listening;
    return Promise.resolve(
      ok({
        listen: () => this.#faults.pass('listen', () => ok(undefined)),
        unlisten: () => this.#faults.pass('unlisten', () => ok(undefined)),
        close: () => this.#faults.pass('channels.close', () => undefined),
      }),
    );
  }

  async #answer(text: string): Promise<Result<readonly (string | null)[][], ApiError>> {
    if (text.includes('pg_current_snapshot')) return ok([['1:1000000:']]);
    if (!text.includes('recursive sources')) return ok([]);
    await this.planGate;
    const columns = JSON.stringify([
      ['id', 23, 'integer', false],
      ['name', 25, 'text', false],
    ]);
    return ok([[String(TABLE), 'api.item', 'r', 'false', 't', this.identity, columns]]);
  }

  #run({ segments: [{ main }] }: TransactionScript): Result<ScriptResults, ApiError> {
    const last = main.text.includes('ANY (') ? main.parameters.at(-1) : undefined;
    const touched = typeof last === 'string' ? last : undefined;
    if (touched !== undefined && this.areKeysTooDear) return fail(TOO_DEAR);
    const ids = touched?.match(/\d+/gu)?.map(Number);
    const found = this.sorted.filter(([id]) => ids === undefined || ids.includes(id));
    if (main.delivery.kind !== 'lines') {
      const body = Buffer.from(JSON.stringify(found.map(([id, name]) => ({ id, name }))));
      return ok([{ kind: 'outcome', outcome: { ...NO_OUTCOME, body, pageRows: found.length } }]);
    }
    const lines = found.map(([id, name]) => Buffer.from(`["${id}"]\n${JSON.stringify({ id, name })}`));
    return ok([{ kind: 'lines', lines }]);
  }
}

interface Served {
  readonly context: RequestContext;
  readonly planning: Planning;
}

function serve(stages: Stages): Served {
  const answer = (): never => {
    throw new Error('the streams are asked directly');
  };
  const seams = { events: { subjects: findSubjects(stages.config), answer, answerList: answer } };
  const known = { ...contextOf(stages), seams };
  const planning = planningOf(known, stages.cache);
  const pause = (): Promise<undefined> => Promise.resolve(undefined);
  return { context: { ...known, planning, plans: new PlanCache(), pause, signal: undefined }, planning };
}

const TOO_DEAR: ApiError = {
  kind: 'costExceeded',
  cost: 2,
  maxCost: 1,
  role: 'web_anon',
  rows: 1,
  remedies: [],
  request: undefined,
};

const NO_OUTCOME = {
  total: undefined,
  plannedTotal: undefined,
  settingHeaders: undefined,
  settingStatus: undefined,
  inserted: undefined,
  location: undefined,
} as const;

interface Row {
  readonly id: number;
  readonly name: string;
}

/** A client that applies what it receives. */
export class Reader implements BodySink {
  ending: 'ended' | 'failed' | undefined;
  error: string | undefined;
  lastId: string | undefined;
  isClosed = false;
  readonly names: string[] = [];
  text = '';
  readonly #body: BodyStream;
  readonly #rows: Map<number, string>;

  /** @param before what the client has kept while it was not connected */
  constructor(body: BodyStream, before?: Reader) {
    this.#body = body;
    this.#rows = new Map(before?.rows);
    body.read(this);
  }

  take(piece: Uint8Array): boolean {
    this.text += new TextDecoder().decode(piece);
    const events = this.text.split('\n\n');
    this.text = events.pop() ?? '';
    for (const event of events) this.#apply(event);
    return true;
  }

  end(): void {
    this.ending = 'ended';
  }

  fail(): void {
    this.ending ??= 'failed';
  }

  close(): void {
    this.isClosed = true;
    this.#body.cancel();
  }

  /** What the client has, in the order of the keys. */
  get rows(): readonly (readonly [number, string])[] {
    return [...this.#rows].toSorted(([a], [b]) => a - b);
  }

  #apply(event: string): void {
    const name = /^event: (.*)$/mu.exec(event)?.[1];
    const data = [...event.matchAll(/^data: (.*)$/gmu)].map(([, line]) => line).join('\n');
    this.lastId = /^id: (.*)$/mu.exec(event)?.[1] ?? this.lastId;
    if (name !== undefined) this.names.push(name);
    if (name === 'error') this.error = data;
    if (name === 'rows' || name === 'reset') this.#rows.clear();
    if (name !== 'rows' && name !== 'change') return;
    const parsed = JSON.parse(data) as Row[] | { upsert: Row[]; delete: Row[] };
    const change = Array.isArray(parsed) ? { upsert: parsed, delete: [] } : parsed;
    for (const { id } of change.delete) this.#rows.delete(id);
    for (const { id, name: value } of change.upsert) this.#rows.set(id, value);
  }
}
