// Recognizes and reads a list of reads to watch (`beyond.md` §6.1).
import type { Dialect } from '../../contract/dialect.ts';
import { firstHeader, type HeaderList, type HttpRequest } from '../../contract/http.ts';
import { ok, type Result } from '../../contract/result.ts';
import { parseAccept } from '../../media/accept.ts';
import { EVENT_STREAM_TYPE } from '../../media/formats.ts';
import { isBatch } from '../../request/is-batch.ts';
import { type PartFault, type PartListRules, readPartList } from '../../request/part-list.ts';
import { omitPreference } from '../../request/preferences.ts';
import type { PartProblem, ReadPart } from '../../request/read-part.ts';
import type { Slices } from '../../util/slices.ts';

export interface ReadOfList {
  readonly id: string;
  readonly lastEventId: string | undefined;
  /** Without what it inherits from the request of the list. */
  readonly request: HttpRequest;
}

export function isReadList(head: Pick<HttpRequest, 'method' | 'path' | 'headers'>, dialect: Dialect): boolean {
  if (!isBatch(head, dialect)) return false;
  const [preferred] = parseAccept(firstHeader(head.headers, 'accept'), dialect);
  return preferred?.kind === 'other' && preferred.essence === EVENT_STREAM_TYPE;
}

export type ReadListRules = Omit<PartListRules, 'noun' | 'members' | 'defaultMethod' | 'findFault'>;

export function readList(text: Uint8Array, rules: ReadListRules): Slices<Result<readonly ReadOfList[], PartFault>> {
  const own = {
    noun: 'list',
    members: ['id', 'path', 'method', 'headers', 'lastEventId'],
    defaultMethod: 'GET',
    findFault,
  } as const;
  return readPartList(text, { ...rules, ...own }, toRead);
}

const MAX_ID_LENGTH = 255;

function findFault({ id = '', method, target, headers }: ReadPart): PartProblem | undefined {
  if (id === '' || id.length > MAX_ID_LENGTH) return { problem: `has no id of 1 to ${MAX_ID_LENGTH} characters` };
  if (method !== 'GET') return { problem: `has the method ${method}; a list contains reads by GET only` };
  if (target.includes('#')) return { problem: 'has a path with #; a list contains no references' };
  const isOther = headers.some(
    ([name, value]) => name === 'accept' && value.trim().toLowerCase() !== EVENT_STREAM_TYPE,
  );
  return isOther ? { problem: 'has the header accept; the response is a stream of events' } : undefined;
}

function* toRead({ id = '', target, headers, lastEventId }: ReadPart): Slices<Result<ReadOfList, never>> {
  yield;
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const rawQuery = queryAt < 0 ? '' : target.slice(queryAt + 1);
  const others = omitPreference(headers, 'position').filter(([name]) => name !== 'accept');
  const own: HeaderList = [['accept', EVENT_STREAM_TYPE], ...others];
  return ok({ id, lastEventId, request: { method: 'GET', path, rawQuery, headers: own, body: NO_BODY } });
}

const NO_BODY = new Uint8Array();
