// Answers a request for a stream of events: runs the function that names the channels, then opens the stream.
import type { Identity } from './auth/authenticate.ts';
import type { BatchAnswer } from './batch/answer-batch.ts';
import type { HttpRequest, HttpResponse } from './contract/http.ts';
import { ok, type Result } from './contract/result.ts';
import type { DbOutcome } from './contract/transaction.ts';
import { isStream } from './contract/body-stream.ts';
import { readChannels } from './live/channel-names.ts';
import { scriptContextOf, type RequestContext } from './request-context.ts';
import { buildResponse } from './response/build-response.ts';
import { type FailedResponse, refuse } from './response/failed-response.ts';
import { buildStreamResponse, describeStream } from './response/stream-response.ts';
import { type PreparedRows, renderScript } from './sql/render-script.ts';
import { explainRefusal } from './plan/refusals/explain-refusal.ts';

export interface EventWork {
  readonly request: HttpRequest;
  readonly prepared: PreparedRows;
  readonly identity: Identity;
}

type Answer = Result<HttpResponse, FailedResponse>;

export async function answerEvents(work: EventWork, context: RequestContext): Promise<BatchAnswer> {
  return work.prepared.action.events === 'rows'
    ? { script: undefined, answer: await answerRows(work, context) }
    : answerChannels(work, context);
}

/** The rows are read for all clients that share them, apart from this request. */
async function answerRows({ request, prepared, identity }: EventWork, context: RequestContext): Promise<Answer> {
  const { action } = prepared;
  if (action.isHead) return ok(buildStreamResponse(action, undefined, context));
  const body = await context.streams.watch(request, identity, context.signal);
  if (!body.ok) return refuse(await explainRefusal(body.error, action, { request, context, identity }));
  return ok(buildStreamResponse(action, body.value, context));
}

async function answerChannels(work: EventWork, context: RequestContext): Promise<BatchAnswer> {
  const { prepared, identity, request } = work;
  // The names must arrive whole.
  const script = { ...renderScript(prepared, scriptContextOf(request, identity, context)), mayStream: false };
  const result = await context.runScript(script);
  if (!result.ok)
    return {
      script,
      answer: refuse(await explainRefusal(result.error, prepared.action, { request, context, identity })),
    };
  const [answered] = result.value;
  if (answered.kind === 'lines') throw new Error('a stream of events has no execution plan');
  return { script, answer: await openChannels(answered.outcome, work, context) };
}

async function openChannels(
  outcome: DbOutcome,
  { prepared, identity }: EventWork,
  context: RequestContext,
): Promise<Answer> {
  if (prepared.action.isHead) return describeStream(buildResponse(prepared, outcome, context));
  if (isStream(outcome.body)) throw new Error('the names of channels arrived as a stream');
  const channels = readChannels(outcome.body ?? NO_CHANNELS, context.config.dbChannel);
  if (!channels.ok) return refuse(channels.error);
  const body = await context.streams.openChannels(channels.value, identity.claimsText);
  if (!body.ok) return refuse(body.error);
  return describeStream(buildResponse(prepared, { ...outcome, body: body.value }, context));
}

const NO_CHANNELS = new TextEncoder().encode('[]');
