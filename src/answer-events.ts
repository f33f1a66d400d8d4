// Answers a request for a stream of events: runs the function that names the channels, then opens the stream.
import { isStream } from './contract/body-stream.ts';
import { ok } from './contract/result.ts';
import type { DbOutcome } from './contract/transaction.ts';
import { readChannels } from './live/channel-names.ts';
import { explainRefusal } from './plan/refusals/explain-refusal.ts';
import { buildResponse } from './response/build-response.ts';
import { refuse } from './response/failed-response.ts';
import { buildStreamResponse, describeStream } from './response/stream-response.ts';
import { type Answer, answerOutcome, runPrepared, type Work } from './run-prepared.ts';
import type { PreparedRows } from './sql/render-script.ts';

export function answerEvents(prepared: PreparedRows, work: Work): Promise<Answer> {
  return prepared.action.events === 'rows' ? answerRows(prepared, work) : answerChannels(prepared, work);
}

/** The rows are read for all clients that share them, apart from this request. */
async function answerRows({ action }: PreparedRows, work: Work): Promise<Answer> {
  const { request, identity, context, phases } = work;
  const body = action.isHead ? ok(undefined) : await context.streams.watch(request, identity, context.signal);
  phases?.mark('transaction');
  return body.ok
    ? ok(buildStreamResponse(action, body.value, context))
    : refuse(await explainRefusal(body.error, action, work));
}

async function answerChannels(prepared: PreparedRows, work: Work): Promise<Answer> {
  // The names must arrive whole.
  const whole = { ...prepared, profile: { ...prepared.profile, mayStream: false } };
  const reply = await runPrepared(whole, work);
  if (!reply.ok) return answerOutcome(reply, prepared, work);
  work.phases?.mark('transaction');
  const [answered] = reply.value;
  if (answered.kind === 'lines') throw new Error('a stream of events has no execution plan');
  return openChannels(answered.outcome, prepared, work);
}

async function openChannels(outcome: DbOutcome, prepared: PreparedRows, { identity, context }: Work): Promise<Answer> {
  if (prepared.action.isHead) return describeStream(buildResponse(prepared, outcome, context));
  if (isStream(outcome.body)) throw new Error('the names of channels arrived as a stream');
  const channels = readChannels(outcome.body ?? NO_CHANNELS, context.config.dbChannel);
  if (!channels.ok) return refuse(channels.error);
  const body = await context.streams.openChannels(channels.value, identity.claimsText);
  if (!body.ok) return refuse(body.error);
  return describeStream(buildResponse(prepared, { ...outcome, body: body.value }, context));
}

const NO_CHANNELS = new TextEncoder().encode('[]');
