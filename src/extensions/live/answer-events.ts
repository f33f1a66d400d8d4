// Answers a request for a stream of events. Live rows are read for all clients that share them, apart from this request.
// For channels, runs the function that names them, then opens the stream.
import { isStream } from '../../contract/body-stream.ts';
import { firstHeader, type HeaderList } from '../../contract/http.ts';
import { fail, ok } from '../../contract/result.ts';
import { EVENT_STREAM_TYPE } from '../../media/formats.ts';
import { parsePreferences } from '../../request/preferences.ts';
import { bodyHeaders } from '../../response/build-response.ts';
import { readChannels } from './channel-names.ts';
import type { ListedRead, Work } from '../../serve/request-context.ts';
import { type Answer, refuse } from '../../response/failed-response.ts';
import { buildStreamResponse, describeStream } from './stream-response.ts';
import { answerOutcome, explain, runPrepared } from '../../serve/run-prepared.ts';
import type { PreparedRows } from '../../sql/render-script.ts';
import type { ServiceStreams, WatchedRead } from './streams/service-streams.ts';

type Streams = Pick<ServiceStreams, 'openChannels' | 'watch'>;

export async function answerEvents(prepared: PreparedRows, work: Work, streams: Streams): Promise<Answer> {
  const { action, live } = prepared;
  if (live === undefined) return answerChannels(prepared, work, streams);
  const headers = [...bodyHeaders(action), ...applyPosition(action.preferenceHeaders, work)];
  if (action.isHead) return ok(buildStreamResponse(headers, undefined, work.context));
  const lastId = firstHeader(work.request.headers, 'last-event-id');
  const only = { readId: undefined, live: ok(live), work, lastId, explain: explainWith(prepared, work) };
  return answerRows([only], work, { headers, streams });
}

/** Answers a list of reads with one stream (`beyond.md` §6.1). */
export function answerList(
  [first, ...others]: readonly [ListedRead, ...ListedRead[]],
  work: Work,
  streams: Streams,
): Promise<Answer> {
  const headers: HeaderList = [['Content-Type', EVENT_STREAM_TYPE], ...applyPosition([], work)];
  return answerRows([toWatched(first), ...others.map(toWatched)], work, { headers, streams });
}

async function answerRows(
  reads: readonly [WatchedRead, ...WatchedRead[]],
  work: Work,
  { headers, streams }: { readonly headers: HeaderList; readonly streams: Streams },
): Promise<Answer> {
  const body = await streams.watch(reads, prefersPositions(work), work.context.signal);
  work.phases?.mark('transaction');
  return body.ok ? ok(buildStreamResponse(headers, body.value, work.context)) : refuse(body.error);
}

function prefersPositions({ request, context: { dialect, config } }: Work): boolean {
  return parsePreferences(request.headers, { dialect, extensions: config.extensions }).position === true;
}

/** Adds the preference for positions, which only streams apply to reads. */
function applyPosition(preferenceHeaders: HeaderList, work: Work): HeaderList {
  if (!prefersPositions(work)) return preferenceHeaders;
  const others = preferenceHeaders.map(([, applied]) => applied);
  return [['Preference-Applied', [...others, 'position'].join(', ')]];
}

function toWatched({ id, lastEventId, prepared, work }: ListedRead): WatchedRead {
  const rest = { readId: id, work, lastId: lastEventId };
  if (!prepared.ok) return { ...rest, live: prepared, explain: (error) => Promise.resolve(error) };
  const { live } = prepared.value;
  const unavailable = fail({ kind: 'mediaTypeUnavailable', accepted: [EVENT_STREAM_TYPE] } as const);
  return { ...rest, live: live === undefined ? unavailable : ok(live), explain: explainWith(prepared.value, work) };
}

function explainWith(prepared: PreparedRows, work: Work): WatchedRead['explain'] {
  return async (error) => {
    const explained = await explain(error, prepared, work);
    return explained.ok ? error : explained.error.error;
  };
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
