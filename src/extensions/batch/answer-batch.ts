// Answers a batch: several requests in one transaction (`beyond.md` §2.1).
import type { HttpResponse } from '../../contract/http.ts';
import { fail, ok } from '../../contract/result.ts';
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type BatchSettings, parseBatch } from './body/parse-batch.ts';
import type { PartFault } from '../../request/part-list.ts';
import type { RequestContext, Work } from '../../serve/request-context.ts';
import { buildBatchResponse } from './batch-response.ts';
import { type Answer, plainFailure, refuse } from '../../response/failed-response.ts';
import { explain, headersOf, runScript } from '../../serve/run-prepared.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import { BatchRun } from './batch-run.ts';
import { type BatchContext, planBatch } from './plan-batch.ts';

export async function answerBatch(work: Work): Promise<Answer> {
  const slices = parseBatch(work.request.body, batchSettingsOf(work.context));
  const parsed = await runSlicesWithPauses(slices, work.context.pause);
  if (!parsed.ok) return failAt(parsed.error);
  const planned = planBatch(parsed.value.requests, work);
  if (!planned.ok) return refuse(planned.error);
  const transaction = planned.value;
  const batch = { ...parsed.value, work, transaction };
  const batchRun = new BatchRun(batch);
  const started = await batchRun.start();
  if (!started.ok) return failRun(batchRun, started.error);
  const script = started.value;
  // Repeating a batch of reads has no effect, so its response is not held.
  const hold = transaction.access === 'read only' ? undefined : work.hold;
  const held = hold?.(script, () => Promise.resolve(ok(respondAgain(batchRun, batch))));
  if (held?.ok === false) return failRun(batchRun, held.error);
  const reply = await runScript(script, work, held?.value.script);
  const [first, ...others] = batchRun.segments;
  if (first !== undefined) work.script = { ...script, segments: [first, ...others] };
  work.phases?.mark('transaction');
  if (!reply.ok) return explainRun(batchRun, reply.error, work);
  const replayed = batchRun.elements.length === 0 ? held?.value.response : undefined;
  return ok(replayed ?? respond(batchRun, reply.value, batch));
}

export function batchSettingsOf({ dialect, config }: Pick<RequestContext, 'dialect' | 'config'>): BatchSettings {
  const { serverMaxJsonDepth: maxJsonDepth, urlMaxLength: maxUrlLength, batchMaxRequests, batchHeaders } = config;
  return { dialect, maxJsonDepth, maxUrlLength, batchMaxRequests, batchHeaders };
}

function respond({ elements }: BatchRun, [last]: ScriptResults, { transaction, work }: BatchContext): HttpResponse {
  const texts = elements.map(({ text }) => text);
  return buildBatchResponse(texts, [...transaction.preferenceHeaders, ...headersOf(last, work)], work.context);
}

/** Builds the response that is stored for repetitions. It lacks the log position, which is unknown before the commit. */
function respondAgain({ elements }: BatchRun, { transaction, work }: BatchContext): HttpResponse {
  const kept = elements.map((element) => element.kept);
  return buildBatchResponse(kept, transaction.preferenceHeaders, work.context);
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

function failAt({ error, request, id }: PartFault): Answer {
  return fail({ ...plainFailure(error), place: request === undefined ? undefined : { request, id } });
}
