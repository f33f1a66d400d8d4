// Decides whether the rows of an insert are read while the body arrives (`beyond.md` §2.5). Later stages do
// not decide again: they only check whether the body they receive is complete or arriving.
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { EnabledExtensions } from '../contract/extensions.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { FORMAT_NAMES, formatRow, type FormatName, FORMATS, type FormatWith } from '../media/formats.ts';
import { formatOf, parseMediaType } from '../media/media-type.ts';
import type { ApiRequest } from './api-request.ts';
import { CsvFramer } from './payload/csv-framer.ts';
import { NdjsonFramer } from './payload/ndjson-framer.ts';
import type { Payload } from './payload/payload.ts';
import { toArrivingBody, openRows, type RowLimits } from './payload/row-reader.ts';

/** Settings that decide whether bodies are ever read while they arrive. */
export interface ArrivalSettings {
  readonly extensions: EnabledExtensions;
  /** Number of database connections that this process may open. */
  readonly dbPool: number;
}

export interface RowSettings extends RowLimits, ArrivalSettings {
  readonly dialect: Dialect;
  readonly maxJsonDepth: number;
}

/** Bodies whose rows can be read one by one. */
export type RowFormat = FormatWith<{ body: { streamedFrom: number } }>;

/** The smallest pool that can give a slow client a connection and still keep one for other requests. */
const MIN_POOL = 2;

const ROW_TYPES = FORMAT_NAMES.filter(isRowFormat).map((name) => FORMATS[name].mediaType);

function isRowFormat(name: FormatName): name is RowFormat {
  return formatRow(name).body?.streamedFrom !== undefined;
}

/** Whether a body may be read while it arrives instead of fitting into memory. `findArrivalSize` decides later. */
export function mayArrive({ method, headers }: HttpRequest, settings: ArrivalSettings): boolean {
  const contentType = firstHeader(headers, 'content-type');
  if (method !== 'POST' || contentType === undefined || !canArrive(settings)) return false;
  const type = contentType.trimStart().toLowerCase();
  return ROW_TYPES.some((start) => type.startsWith(start));
}

/** @returns size in bytes above which the body is read while it arrives; undefined if it is always read whole */
export function findArrivalSize(
  request: Pick<HttpRequest, 'headers' | 'arriving'>,
  head: ApiRequest,
  settings: RowSettings,
): number | undefined {
  const format = canArrive(settings) ? findRowFormat(request, head, settings) : undefined;
  if (format === undefined) return undefined;
  const { preferences, accepted } = head;
  const isPlan = accepted.some(({ kind }) => kind === 'plan');
  const isWhole =
    format === 'csv' && (preferences.return === 'representation' || preferences.return === 'changes' || isPlan);
  return isWhole ? undefined : FORMATS[format].body.streamedFrom;
}

function canArrive({ extensions, dbPool }: ArrivalSettings): boolean {
  return extensions.ingest && dbPool >= MIN_POOL;
}

/** @returns the format whose rows are read one by one; undefined if the body is not read that way */
export function findReadFormat(
  request: Pick<HttpRequest, 'headers' | 'arriving'>,
  head: ApiRequest,
  settings: RowSettings,
): RowFormat | undefined {
  const format = findRowFormat(request, head, settings);
  return request.arriving !== undefined || format === 'ndjson' ? format : undefined;
}

function findRowFormat(
  { headers, arriving }: Pick<HttpRequest, 'headers' | 'arriving'>,
  { action }: ApiRequest,
  { dialect, extensions }: RowSettings,
): RowFormat | undefined {
  // Once a body is being read while it arrives, a configuration change does not affect it.
  const isOn = arriving !== undefined || extensions.ingest;
  if (action.kind !== 'mutateRelation' || action.mutation !== 'insert' || !isOn) return undefined;
  const contentType = firstHeader(headers, 'content-type');
  const name = contentType === undefined ? undefined : formatOf(parseMediaType(contentType, dialect));
  return name !== undefined && isRowFormat(name) ? name : undefined;
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
    format === 'csv'
      ? new CsvFramer()
      : new NdjsonFramer({ columns: query.columns, maxJsonDepth, hasHints: dialect.hasHints });
  const body = request.arriving ?? toArrivingBody(request.body);
  const batches = await openRows(body, framer, { limits: settings, pause });
  if (!batches.ok) return batches;
  const { first } = batches.value;
  const bytes = first.objects(first.count);
  const source = format === 'csv' ? 'csv' : 'json';
  return ok({ kind: 'json', source, bytes, isArray: true, keys: framer.keys, batches: batches.value });
}
