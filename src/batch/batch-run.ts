// Runs the requests of a batch in one transaction. The script is cut before a request that refers to an earlier response.
// Each part builds its responses before the next part is planned, so the first failure ends the transaction.
import { fail, ok, type Result } from '../contract/result.ts';
import type { Leftovers, ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { scriptContextOf } from '../request-context.ts';
import type { BatchElement } from '../response/batch-response.ts';
import { plainFailure } from '../response/failed-response.ts';
import { leftoversOf, renderHeldSegment } from '../sql/render-script.ts';
import { nestScript } from '../sql/nest-script.ts';
import type { Segment, TransactionScript } from '../sql/transaction-script.ts';
import { type AnsweredRequest, answerPart, type FailedElement } from './answer-part.ts';
import { type BatchContext, responsesTooLarge } from './batch-context.ts';
import { type Answered, type BatchPart, type PlannedRequest, planPart } from './batch-part.ts';

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

export class BatchRun {
  readonly #batch: BatchContext;
  readonly #planned: PlannedRequest[] = [];
  readonly #segments: Segment[] = [];
  #failure: FailedElement | undefined;
  #elements: readonly BatchElement[] = [];

  constructor(batch: BatchContext) {
    this.#batch = batch;
  }

  /** The failure of a request that is not an error of the database. */
  get failure(): FailedElement | undefined {
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
      await this.#batch.context.pause();
    }
    const [first, ...others] = segments;
    if (first === undefined) return this.#fail(part);
    this.#segments.push(...segments);
    const script = this.#renderScript(part, [first, ...others], progress);
    return ok(this.#nest(script, part));
  }

  /** A nested write is the only request of its part. */
  #nest(script: TransactionScript, { requests: [planned] }: BatchPart): TransactionScript {
    const nested = planned?.prepared.kind === 'rows' ? planned.prepared.nested : undefined;
    if (planned === undefined || nested === undefined) return script;
    return nestScript(script, nested, (error) => {
      this.#failure = { failed: plainFailure(error), request: planned.index, id: planned.id };
    });
  }

  #renderSegment({ prepared, request, index }: PlannedRequest): Segment {
    const { transaction, identity, context } = this.#batch;
    const place = { access: transaction.access, request: index };
    return renderHeldSegment(prepared, place, scriptContextOf(request, identity, context));
  }

  #renderScript(part: BatchPart, segments: TransactionScript['segments'], progress: Progress): TransactionScript {
    const { transaction, identity, context } = this.#batch;
    const { isolation, ...rest } = transaction;
    const leftovers = mostOf([
      progress.leftovers,
      ...part.requests.map(({ prepared }) => leftoversOf(prepared.action)),
    ]);
    const returnsPosition = reportsPositions(this.#batch);
    return {
      access: rest.access,
      end: rest.end,
      isolation: isolation ?? context.roleSettings.get(identity.role)?.isolation ?? context.dialect.isolation,
      role: identity.role,
      leftovers: context.config.dbPreRequest === undefined ? leftovers : 'all',
      mayRunConcurrently: false,
      mayStream: false,
      resultLimit: {
        bytes: this.#remainingSize(part),
        exceededBy: (request) => responsesTooLarge(this.#batch, request),
      },
      ...(returnsPosition && { returnsPosition }),
      segments,
      continue: (results) => this.#continue(part, results, { ...progress, leftovers }),
    };
  }

  #remainingSize({ spent }: BatchPart): number {
    return this.#batch.context.config.batchMaxResponse - spent.responses;
  }

  async #continue(
    part: BatchPart,
    results: ScriptResults,
    progress: Progress,
  ): Promise<Result<TransactionScript | undefined, ApiError>> {
    const size = this.#remainingSize(part);
    const answered = await answerPart(part.requests, results, { batch: this.#batch, size });
    if (!answered.ok) {
      this.#failure = answered.error;
      return fail(answered.error.failed.error);
    }
    if (part.failure !== undefined) return this.#fail(part);
    const elements = [...progress.elements, ...answered.value.map(({ element }) => element)];
    this.#elements = elements;
    if (elements.length === this.#batch.requests.length) return ok(undefined);
    return this.#plan({ ...progress, ...follow(progress, part, answered.value), elements });
  }

  #fail({ failure }: BatchPart): Result<never, ApiError> {
    const error: ApiError = failure?.error ?? { kind: 'undecodableResult', details: 'The batch contains no request' };
    if (failure?.request !== undefined)
      this.#failure = { failed: plainFailure(error), request: failure.request, id: failure.id };
    return fail(error);
  }
}

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

/** Whether the response reports the log position of the transaction. */
export function reportsPositions({ context, transaction }: BatchContext): boolean {
  const { dbUriReplicas, dbReadYourWrites } = context.config;
  if (transaction.access === 'read only' || transaction.end === 'rollback') return false;
  return dbUriReplicas.length > 0 && dbReadYourWrites !== 'off';
}
