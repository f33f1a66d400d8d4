// Answers a request for a stream of events. Live rows are read for all clients that share them, apart from this request.
// For channels, runs the function that names them, then opens the stream.
import { type BodyStream, isStream } from '../../contract/body-stream.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { DbOutcome } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { readChannels } from './channel-names.ts';
import type { Work } from '../../serve/request-context.ts';
import { type Answer, refuse } from '../../response/failed-response.ts';
import { buildStreamResponse, describeStream } from './stream-response.ts';
import { answerOutcome, explain, runPrepared } from '../../serve/run-prepared.ts';
import type { LiveRead, PreparedRows } from '../../sql/render-script.ts';

export function answerEvents(prepared: PreparedRows, work: Work): Promise<Answer> {
  return prepared.live === undefined ? answerChannels(prepared, work) : answerRows(prepared, prepared.live, work);
}

async function answerRows(prepared: PreparedRows, live: LiveRead, work: Work): Promise<Answer> {
  const { action } = prepared;
  const { context, phases } = work;
  const body = action.isHead ? ok(undefined) : await context.streams.watch(live, work);
  phases?.mark('transaction');
  return body.ok ? ok(buildStreamResponse(action, body.value, context)) : explain(body.error, prepared, work);
}

async function answerChannels(prepared: PreparedRows, work: Work): Promise<Answer> {
  // The names must arrive whole.
  const reply = await runPrepared(prepared, work, (script) => ({ ...script, mayStream: false }));
  if (!reply.ok || prepared.action.isHead) return describeStream(await answerOutcome(reply, prepared, work));
  const [result] = reply.value;
  if (result.kind === 'lines') throw new Error('a stream of events has no execution plan');
  const body = await openChannels(result.outcome, work);
  if (!body.ok) return refuse(body.error);
  const outcome = { ...result.outcome, body: body.value };
  return describeStream(await answerOutcome(ok([{ kind: 'outcome', outcome }]), prepared, work));
}

async function openChannels({ body }: DbOutcome, { identity, context }: Work): Promise<Result<BodyStream, ApiError>> {
  if (isStream(body)) throw new Error('the names of channels arrived as a stream');
  const channels = readChannels(body ?? NO_CHANNELS, context.config.dbChannel);
  return channels.ok ? context.streams.openChannels(channels.value, identity.claimsText) : channels;
}

const NO_CHANNELS = new TextEncoder().encode('[]');
