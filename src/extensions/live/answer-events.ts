// Answers a request for a stream of events. Live rows are read for all clients that share them, apart from this request.
// For channels, runs the function that names them, then opens the stream.
import { isStream } from '../../contract/body-stream.ts';
import { ok } from '../../contract/result.ts';
import { readChannels } from './channel-names.ts';
import type { Work } from '../../serve/request-context.ts';
import { type Answer, refuse } from '../../response/failed-response.ts';
import { buildStreamResponse, describeStream } from './stream-response.ts';
import { answerOutcome, explain, runPrepared } from '../../serve/run-prepared.ts';
import type { PreparedRows } from '../../sql/render-script.ts';
import type { ServiceStreams } from './streams/service-streams.ts';

type Streams = Pick<ServiceStreams, 'openChannels' | 'watch'>;

export async function answerEvents(prepared: PreparedRows, work: Work, streams: Streams): Promise<Answer> {
  const { action, live } = prepared;
  if (live === undefined) return answerChannels(prepared, work, streams);
  const body = action.isHead ? ok(undefined) : await streams.watch(live, work);
  work.phases?.mark('transaction');
  return body.ok ? ok(buildStreamResponse(action, body.value, work.context)) : explain(body.error, prepared, work);
}

async function answerChannels(prepared: PreparedRows, work: Work, streams: Streams): Promise<Answer> {
  // The names must arrive whole.
  const reply = await runPrepared(prepared, work, (script) => ({ ...script, mayStream: false }));
  if (!reply.ok || prepared.action.isHead) return describeStream(await answerOutcome(reply, prepared, work));
  const [result] = reply.value;
  if (result.kind === 'lines') throw new Error('a stream of events has no execution plan');
  const { body: names = NO_CHANNELS } = result.outcome;
  if (isStream(names)) throw new Error('the names of channels arrived as a stream');
  const channels = readChannels(names, work.context.config.dbChannel);
  const body = channels.ok ? await streams.openChannels(channels.value, work.identity.claimsText) : channels;
  if (!body.ok) return refuse(body.error);
  const outcome = { ...result.outcome, body: body.value };
  return describeStream(await answerOutcome(ok([{ kind: 'outcome', outcome }]), prepared, work));
}

const NO_CHANNELS = new TextEncoder().encode('[]');
