// Answers a batch: several requests in one transaction (`beyond.md` §2.1).
import type { Identity } from '../auth/authenticate.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { explainRefusal } from '../plan/refusals/explain-refusal.ts';
import { parseBatch } from '../request/batch/parse-batch.ts';
import { KeptResponse } from '../idempotency/keep-response.ts';
import type { KeyedRequest } from '../idempotency/keyed-request.ts';
import type { BatchFault } from '../request/batch/batch.ts';
import { planningOf, type RequestContext } from '../request-context.ts';
import { buildBatchResponse } from '../response/batch-response.ts';
import { type FailedResponse, plainFailure, refuse } from '../response/failed-response.ts';
import { carryPosition } from '../response/position-headers.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import { runSlicesWithPauses } from '../util/slices.ts';
import type { BatchContext, BatchTransaction } from './batch-context.ts';
import { BatchRun, reportsPositions } from './batch-run.ts';
import { planBatch } from './plan-batch.ts';

export interface BatchAnswer {
  readonly answer: Result<HttpResponse, FailedResponse>;
  /** All statements that were planned, for the log. */
  readonly script: TransactionScript | undefined;
}

export type BatchEnvironment = RequestContext & {
  readonly cache: SchemaCache;
  /** Undefined for a batch without an idempotency key. */
  readonly keyed: KeyedRequest | undefined;
};

export async function answerBatch(
  outer: HttpRequest,
  identity: Identity,
  context: BatchEnvironment,
): Promise<BatchAnswer> {
  const { config, dialect, cache, pause } = context;
  const { serverMaxJsonDepth: maxJsonDepth, urlMaxLength: maxUrlLength, batchMaxRequests } = config;
  const slices = parseBatch(outer.body, { dialect, maxJsonDepth, maxUrlLength, batchMaxRequests });
  const parsed = await runSlicesWithPauses(slices, pause);
  if (!parsed.ok) return unsent(failAt(parsed.error));
  const transaction = planBatch(outer, parsed.value.requests, context);
  if (!transaction.ok) return unsent(refuse(transaction.error));
  const batch = {
    ...parsed.value,
    outer,
    identity,
    transaction: transaction.value,
    context,
    planning: planningOf(context, cache),
  };
  // Repeating a batch of reads has no effect, so it needs no key.
  return run(batch, transaction.value.access === 'read only' ? undefined : context.keyed);
}

async function run(batch: BatchContext, keyed: KeyedRequest | undefined): Promise<BatchAnswer> {
  const batchRun = new BatchRun(batch);
  const started = await batchRun.start();
  if (!started.ok) return unsent(failRun(batchRun, started.error));
  const kept =
    keyed && new KeptResponse(started.value, keyed, () => Promise.resolve(ok(respondAgain(batchRun, batch))));
  const result = await batch.context.runScript(kept?.script ?? started.value);
  const [first, ...others] = batchRun.segments;
  const script = first === undefined ? started.value : { ...started.value, segments: [first, ...others] as const };
  if (!result.ok) return { answer: await explain(batchRun, result.error, batch), script };
  const replayed = batchRun.elements.length === 0 ? kept?.response : undefined;
  return { answer: ok(replayed ?? respond(batchRun, result.value, batch)), script };
}

function unsent(answer: BatchAnswer['answer']): BatchAnswer {
  return { answer, script: undefined };
}

function respond(batchRun: BatchRun, results: ScriptResults, batch: BatchContext): HttpResponse {
  const { transaction, context } = batch;
  const [last] = results;
  const position = last.kind === 'outcome' ? last.outcome.position : undefined;
  const extra = [...appliedHeader(transaction), ...(reportsPositions(batch) ? carryPosition(position, context) : [])];
  return buildBatchResponse(
    batchRun.elements.map(({ text }) => text),
    extra,
    context,
  );
}

/** Builds the response that is stored for repetitions. It lacks the log position, which is unknown before the commit. */
function respondAgain({ elements }: BatchRun, { transaction, context }: BatchContext): HttpResponse {
  const kept = elements.map((element) => element.kept);
  return buildBatchResponse(kept, appliedHeader(transaction), context);
}

function appliedHeader({ preferencesApplied }: BatchTransaction): HeaderList {
  return preferencesApplied === undefined ? [] : [['Preference-Applied', preferencesApplied]];
}

async function explain(batchRun: BatchRun, error: ApiError, batch: BatchContext): Promise<BatchAnswer['answer']> {
  const planned = batchRun.findPlanned('request' in error ? error.request : 0);
  if (planned === undefined) return failRun(batchRun, error);
  const { outer, identity, context } = batch;
  const request = error.kind === 'commitStatusUnknown' ? outer : planned.request;
  return failRun(batchRun, await explainRefusal(error, planned.prepared.action, { request, identity, context }));
}

function failRun(batchRun: BatchRun, error: ApiError): BatchAnswer['answer'] {
  const { failure } = batchRun;
  if (failure?.failed.error === error) {
    const { failed, request, id } = failure;
    return fail({ ...failed, place: { request, id } });
  }
  const request = 'request' in error ? error.request : undefined;
  return failAt({ error, request, id: batchRun.findPlanned(request)?.id });
}

function failAt({ error, request, id }: BatchFault): BatchAnswer['answer'] {
  return fail({ ...plainFailure(error), place: request === undefined ? undefined : { request, id } });
}
