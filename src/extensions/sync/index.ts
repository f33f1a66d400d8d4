// Sync: many live reads on one connection (`beyond.md` §6). A POST to `/` with the media type of batches that accepts a
// stream of events is answered here. The extension `live` makes the stream.
import type { Extension } from '../../serve/extension.ts';
import { isReadList, readList, type ReadOfList } from './read-list.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { EVENT_STREAM_TYPE } from '../../media/formats.ts';
import { checkStrict } from '../../plan/actions/plan-output.ts';
import { type PartFault, toHttpRequest } from '../../request/part-list.ts';
import { parsePreferences } from '../../request/preferences.ts';
import { type Answer, plainFailure, refuse } from '../../response/failed-response.ts';
import { prepareRequest } from '../../serve/prepare-request.ts';
import type { ListedRead, Work } from '../../serve/request-context.ts';
import type { PreparedRows } from '../../sql/render-script.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';

export const SYNC: Extension = {
  name: 'sync',
  compile({ config: { extensions, livePublication }, dialect }) {
    if (!extensions.sync || !extensions.live || livePublication === undefined) return undefined;
    return { findOwnTask: (head) => (isReadList(head, dialect) ? answerReads : undefined) };
  },
};

async function answerReads(work: Work): Promise<Answer> {
  const { request, context } = work;
  const { config, dialect, seams } = context;
  const { serverMaxJsonDepth: maxJsonDepth, urlMaxLength: maxUrlLength, batchMaxRequests, batchHeaders } = config;
  const invalid = checkStrict(parsePreferences(request.headers, { dialect, extensions: config.extensions }));
  if (invalid !== undefined) return refuse(invalid);
  const rules = { dialect, maxJsonDepth, maxUrlLength, batchMaxRequests, batchHeaders };
  const list = await runSlicesWithPauses(readList(request.body, rules), context.pause);
  if (!list.ok) return failAt(list.error);
  const reads: ListedRead[] = [];
  for (const [index, each] of list.value.entries()) {
    const { id } = each;
    const read = await prepareRead(each, work);
    if (read.prepared.ok && read.prepared.value.action.events === 'channels')
      return failAt({ error: { kind: 'invalidBody', message: describeChannels(index) }, request: index, id });
    reads.push(read);
    await context.pause();
  }
  const [first, ...others] = reads;
  if (first === undefined || seams.events === undefined) return refuse(UNAVAILABLE);
  return seams.events.answerList([first, ...others], work);
}

function describeChannels(index: number): string {
  return `Request ${index} of the list calls a function that names channels; a list contains reads of rows only`;
}

async function prepareRead({ id, lastEventId, request }: ReadOfList, outer: Work): Promise<ListedRead> {
  const work = { ...outer, request: toHttpRequest(request, outer.request), phases: undefined, hold: undefined };
  const prepared = await prepareRequest(work);
  const rows: Result<PreparedRows, ApiError> = !prepared.ok
    ? prepared
    : prepared.value.kind === 'events'
      ? { ok: true, value: prepared.value }
      : fail(UNAVAILABLE);
  return { id, lastEventId, work, prepared: rows };
}

const UNAVAILABLE: ApiError = { kind: 'mediaTypeUnavailable', accepted: [EVENT_STREAM_TYPE] };

function failAt({ error, request, id }: PartFault): Answer {
  return fail({ ...plainFailure(error), place: request === undefined ? undefined : { request, id } });
}
