// Answers a batch: several requests in one transaction (`beyond.md` §2.1).
import type { HeaderList, HttpResponse } from '../contract/http.ts';
import { fail, ok } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { parseBatch } from '../request/batch/parse-batch.ts';
import { KeptResponse } from '../idempotency/keep-response.ts';
import type { KeyedRequest } from '../idempotency/keyed-request.ts';
import type { BatchFault } from '../request/batch/batch.ts';
import { batchSettingsOf, type Work } from '../request-context.ts';
import { buildBatchResponse } from '../response/batch-response.ts';
import { plainFailure, refuse } from '../response/failed-response.ts';
import { carryPosition } from '../response/position-headers.ts';
import { type Answer, explain, runScript } from '../run-prepared.ts';
import { runSlicesWithPauses } from '../util/slices.ts';
import { BatchRun } from './batch-run.ts';
import { type BatchContext, type BatchTransaction, planBatch } from './plan-batch.ts';

/** @param keyed undefined for a batch without an idempotency key */
export async function answerBatch(keyed: KeyedRequest | undefined, work: Work): Promise<Answer> {
  const slices = parseBatch(work.request.body, batchSettingsOf(work.context));
  const parsed = await runSlicesWithPauses(slices, work.context.pause);
  if (!parsed.ok) return failAt(parsed.error);
  const planned = planBatch(parsed.value.requests, work);
  if (!planned.ok) return refuse(planned.error);
  const transaction = planned.value;
  // Repeating a batch of reads has no effect, so it needs no key.
  return run({ ...parsed.value, work, transaction }, transaction.access === 'read only' ? undefined : keyed);
}

async function run(batch: BatchContext, keyed: KeyedRequest | undefined): Promise<Answer> {
  const { work } = batch;
  const batchRun = new BatchRun(batch);
  const started = await batchRun.start();
  if (!started.ok) return failRun(batchRun, started.error);
  const script = started.value;
  const kept = keyed && new KeptResponse(script, keyed, () => Promise.resolve(ok(respondAgain(batchRun, batch))));
  const reply = await runScript(script, work, kept?.script);
  const [first, ...others] = batchRun.segments;
  if (first !== undefined) work.script = { ...script, segments: [first, ...others] };
  work.phases?.mark('transaction');
  if (!reply.ok) return explainRun(batchRun, reply.error, work);
  const replayed = batchRun.elements.length === 0 ? kept?.response : undefined;
  return ok(replayed ?? respond(batchRun, reply.value, batch));
}

function respond({ elements }: BatchRun, [last]: ScriptResults, { transaction, work }: BatchContext): HttpResponse {
  const position = last.kind === 'outcome' ? last.outcome.position : undefined;
  const texts = elements.map(({ text }) => text);
  const located = transaction.returnsPosition ? carryPosition(position, work.context) : [];
  return buildBatchResponse(texts, [...appliedHeader(transaction), ...located], work.context);
}

/** Builds the response that is stored for repetitions. It lacks the log position, which is unknown before the commit. */
function respondAgain({ elements }: BatchRun, { transaction, work }: BatchContext): HttpResponse {
  const kept = elements.map((element) => element.kept);
  return buildBatchResponse(kept, appliedHeader(transaction), work.context);
}

function appliedHeader({ preferencesApplied }: BatchTransaction): HeaderList {
  return preferencesApplied === undefined ? [] : [['Preference-Applied', preferencesApplied]];
}

async function explainRun(batchRun: BatchRun, error: ApiError, { request }: Work): Promise<Answer> {
  const planned = batchRun.findPlanned('request' in error ? error.request : 0);
  if (planned === undefined || batchRun.failure?.error === error) return failRun(batchRun, error);
  const { prepared, work } = planned;
  const refused = await explain(error, prepared, error.kind === 'commitStatusUnknown' ? { ...work, request } : work);
  return refused.ok ? refused : failRun(batchRun, refused.error.error);
}

function failRun(batchRun: BatchRun, error: ApiError): Answer {
  const { failure } = batchRun;
  if (failure?.error === error) return fail(failure);
  const request = 'request' in error ? error.request : undefined;
  return failAt({ error, request, id: batchRun.findPlanned(request)?.id });
}

function failAt({ error, request, id }: BatchFault): Answer {
  return fail({ ...plainFailure(error), place: request === undefined ? undefined : { request, id } });
}
