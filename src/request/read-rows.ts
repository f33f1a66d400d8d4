// An insert whose rows may be used while they arrive → whether they are, and their columns (`beyond.md` §2.5).
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { Extension } from '../contract/extensions.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { parseMediaType } from '../media/media-type.ts';
import type { ApiRequest } from './api-request.ts';
import { CsvFramer } from './payload/csv-framer.ts';
import { NdjsonFramer } from './payload/ndjson-framer.ts';
import type { Payload } from './payload/payload.ts';
import { arriveAtOnce, openRows, type RowLimits } from './payload/row-reader.ts';

export interface RowSettings extends RowLimits {
  readonly dialect: Dialect;
  readonly extensions: readonly Extension[];
  readonly maxJsonDepth: number;
}

export interface RowFormat {
  readonly kind: 'ndjson' | 'csv';
  /** Bytes of a body beyond which it is not taken whole. */
  readonly above: number;
  /** Whether the rows of this request are to be read one by one. */
  readonly isArriving: boolean;
}

/** Shorter bodies of CSV are inserted by one statement, as ever. */
const LONG_CSV = 1_048_576;

/** @returns undefined for a body that is always taken whole */
export function findRowFormat(
  { headers, arriving }: Pick<HttpRequest, 'headers' | 'arriving'>,
  { action, preferences, accepted }: ApiRequest,
  { dialect, extensions }: Pick<RowSettings, 'dialect' | 'extensions'>,
): RowFormat | undefined {
  if (action.kind !== 'mutateRelation' || action.mutation !== 'insert' || !extensions.includes('ingest'))
    return undefined;
  const contentType = firstHeader(headers, 'content-type');
  const type = contentType === undefined ? undefined : parseMediaType(contentType, dialect);
  if (type?.kind === 'other' && type.essence === 'application/x-ndjson')
    return { kind: 'ndjson', above: 0, isArriving: true };
  if (type?.kind !== 'csv') return undefined;
  const isWhole = preferences.return === 'representation' || accepted.some(({ kind }) => kind === 'plan');
  return isWhole ? undefined : { kind: 'csv', above: LONG_CSV, isArriving: arriving !== undefined };
}

export interface RowsToRead {
  readonly format: RowFormat;
  readonly settings: RowSettings;
  readonly pause: () => Promise<unknown>;
}

export async function readRows(
  request: HttpRequest,
  { query }: ApiRequest,
  { format, settings, pause }: RowsToRead,
): Promise<Result<Payload, ApiError>> {
  const { maxJsonDepth, dialect } = settings;
  const framer =
    format.kind === 'csv'
      ? new CsvFramer()
      : new NdjsonFramer({ columns: query.columns, maxJsonDepth, isTeaching: dialect.isTeaching });
  const body = request.arriving ?? arriveAtOnce(request.body);
  const batches = await openRows(body, framer, { limits: settings, pause });
  if (!batches.ok) return batches;
  const { first } = batches.value;
  const bytes = first.objects(first.count);
  const source = format.kind === 'csv' ? 'csv' : 'json';
  return ok({ kind: 'json', source, bytes, isArray: true, keys: framer.keys, batches: batches.value });
}
