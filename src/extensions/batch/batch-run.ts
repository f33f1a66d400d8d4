// Runs the requests of a batch in one transaction. The script is cut before a request that refers to an earlier response.
// Each part builds its responses before the next part is planned, so the first failure ends the transaction.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Leftovers, ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type LocatedValues, locateValues } from './body/locate-values.ts';
import { scriptContextOf } from '../../serve/request-context.ts';
import { type BatchElement, renderBatchElement } from './batch-response.ts';
import { type FailedResponse, plainFailure } from '../../response/failed-response.ts';
import { respond } from '../../serve/run-prepared.ts';
import { leftoversOf, renderHeldSegment } from '../../sql/render-script.ts';
import { LOG_END } from '../../sql/log-end.ts';
import type { Segment, TransactionScript } from '../../sql/transaction-script.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import { type Answered, type BatchPart, type PlannedRequest, planPart } from './batch-part.ts';
import { type BatchContext, responsesTooLarge } from './plan-batch.ts';

/** The state after a part. */
interface Progress extends Answered {
  readonly elements: readonly BatchElement[];
  readonly leftovers: Leftovers;
}

const NOTHING: Progress = {
  count: 0,
  elements: [],
  located: new Map(),
  spent: { bodies: 0, responses: 0, statements: 0 },
  leftovers: 'none',
};
/** In increasing order. */
const LEFTOVERS: readonly Leftovers[] = ['none', 'settings', 'all'];

interface AnsweredRequest {
  readonly index: number;
  readonly element: BatchElement;
  /** Undefined if no later request refers to the response. */
  readonly located: LocatedValues | undefined;
}

export class BatchRun {
  readonly #batch: BatchContext;
  readonly #planned: PlannedRequest[] = [];
  readonly #segments: Segment[] = [];
  #failure: FailedResponse | undefined;
  #elements: readonly BatchElement[] = [];

  constructor(batch: BatchContext) {
    this.#batch = batch;
  }

  /** The failure of a request that is not an error of the database. */
  get failure(): FailedResponse | undefined {
    return this.#failure;
  }

  /** All responses, if no request has failed. */
  get elements(): readonly BatchElement[] {
    return this.#elements;
  }

  /** The segments that were planned, for the log. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  findPlanned(index: number | undefined): PlannedRequest | undefined {
    return this.#planned.findLast((planned) => planned.index === index);
  }

  start(): Promise<Result<TransactionScript, ApiError>> {
    return this.#plan(NOTHING);
  }

  async #plan(progress: Progress): Promise<Result<TransactionScript, ApiError>> {
    const part = await planPart(progress, this.#batch);
    this.#planned.push(...part.requests);
    const segments: Segment[] = [];
    for (const planned of part.requests) {
      segments.push(this.#renderSegment(planned));
      await this.#batch.work.context.pause();
    }
    const [first, ...others] = segments;
    if (first === undefined) return this.#fail(part.failure ?? EMPTY);
    this.#segments.push(...segments);
    const script = this.#renderScript(part, [first, ...others], progress);
    return ok(this.#divide(script, part));
  }

  /** A write of several statements is the only request of its part. */
  #divide(script: TransactionScript, { requests: [planned] }: BatchPart): TransactionScript {
    if (planned?.prepared.kind !== 'rows') return script;
    const note = (error: ApiError): void => void this.#fail(plainFailure(error), planned);
    return planned.prepared.divide?.(script, note) ?? script;
  }

  #renderSegment({ prepared, work, index }: PlannedRequest): Segment {
    const place = { access: this.#batch.transaction.access, request: index };
    return renderHeldSegment(prepared, place, scriptContextOf(work.request, work.identity, work.context));
  }

  #renderScript(part: BatchPart, segments: TransactionScript['segments'], progress: Progress): TransactionScript {
    const { identity, context, request } = this.#batch.work;
    const { access, end, isolation, reportsPosition } = this.#batch.transaction;
    const leftovers = mostOf([
      progress.leftovers,
      ...part.requests.map(({ prepared }) => leftoversOf(prepared.action)),
    ]);
    const script: TransactionScript = {
      access,
      end,
      isolation: isolation ?? context.roleSettings.get(identity.role)?.isolation ?? context.dialect.isolation,
      role: identity.role,
      leftovers: context.config.dbPreRequest === undefined ? leftovers : 'all',
      mayRunConcurrently: false,
      mayStream: false,
      afterCommit: reportsPosition ? LOG_END : undefined,
      resultLimit: {
        bytes: this.#remainingSize(part),
        exceededBy: (request) => responsesTooLarge(this.#batch, request),
      },
      segments,
      continue: (results) => this.#continue(part, results, { ...progress, leftovers }),
    };
    return context.seams.completeScript?.(script, undefined, request) ?? script;
  }

  #remainingSize({ spent }: BatchPart): number {
    return this.#batch.work.context.config.batchMaxResponse - spent.responses;
  }

  async #continue(
    part: BatchPart,
    results: ScriptResults,
    progress: Progress,
  ): Promise<Result<TransactionScript | undefined, ApiError>> {
    const answered = await this.#answer(part, results);
    if (!answered.ok) return answered;
    if (part.failure !== undefined) return this.#fail(part.failure);
    const elements = [...progress.elements, ...answered.value.map(({ element }) => element)];
    this.#elements = elements;
    if (elements.length === this.#batch.requests.length) return ok(undefined);
    return this.#plan({ ...progress, ...follow(progress, part, answered.value), elements });
  }

  /** Builds the responses to the requests of a part. */
  async #answer(part: BatchPart, results: ScriptResults): Promise<Result<readonly AnsweredRequest[], ApiError>> {
    const { pause } = this.#batch.work.context;
    const answered: AnsweredRequest[] = [];
    let size = this.#remainingSize(part);
    for (const [position, planned] of part.requests.entries()) {
      const result = results[position];
      if (result === undefined) break;
      const { index, id, prepared, work } = planned;
      const response = await respond(result, prepared, work);
      if (!response.ok) return this.#fail(response.error, planned);
      const { delivery } = planned.prepared.statements.main;
      const slices = renderBatchElement(
        id,
        response.value,
        delivery.kind === 'value' && delivery.encoding === 'binary',
      );
      const { body, ...element } = await runSlicesWithPauses(slices, pause);
      size -= element.text.length;
      if (size < 0) return this.#fail(plainFailure(responsesTooLarge(this.#batch)), planned);
      const tree = this.#batch.pointers.get(index);
      const located = tree && (await runSlicesWithPauses(locateValues(body, tree), pause));
      answered.push({ index, element, located });
    }
    return ok(answered);
  }

  /** @param at the request that has failed; undefined: the failure names it, or there is none */
  #fail(failed: FailedResponse, at?: PlannedRequest): Result<never, ApiError> {
    const place = at === undefined ? failed.place : { request: at.index, id: at.id };
    this.#failure = { ...failed, place };
    return fail(failed.error);
  }
}

const EMPTY = plainFailure({ kind: 'undecodableResult', details: 'The batch contains no request' });

/** Returns the state after the requests of the part have been answered. */
function follow({ count, located }: Answered, { spent }: BatchPart, answered: readonly AnsweredRequest[]): Answered {
  const found = new Map(located);
  let { responses } = spent;
  for (const { index, element, located: values } of answered) {
    responses += element.text.length;
    if (values !== undefined) found.set(index, values);
  }
  return { count: count + answered.length, located: found, spent: { ...spent, responses } };
}

function mostOf(leftovers: readonly Leftovers[]): Leftovers {
  return LEFTOVERS[Math.max(...leftovers.map((each) => LEFTOVERS.indexOf(each)))] ?? 'all';
}
