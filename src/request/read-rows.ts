// An insert whose rows may be used while they arrive → whether they are, and their columns (`beyond.md` §2.5). The one place
// where it is decided: what comes later follows from what has been handed over, a body or one that is arriving.
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

/** What decides whether any body is used while it arrives. */
export interface ArrivalSettings {
  readonly extensions: readonly Extension[];
  /** Connections to the database that this process may open. */
  readonly dbPool: number;
}

export interface RowSettings extends RowLimits, ArrivalSettings {
  readonly dialect: Dialect;
  readonly maxJsonDepth: number;
}

export type RowFormat = 'ndjson' | 'csv';

/**
 * Bytes of a body beyond which it is not taken whole. Shorter lines are taken whole because a request whose first batch has
 * not come is better not begun; shorter CSV is inserted by one statement.
 */
const STREAMED_FROM_BYTES: Readonly<Record<RowFormat, number>> = { ndjson: 65_536, csv: 1_048_576 };

/** The smallest pool that can give a connection to a body for as long as its client takes, and keep one for others. */
const MIN_POOL = 2;

const ROW_TYPES = /^\s*(?:application\/x-ndjson|text\/csv)/iu;

/** Whether a body may be used while it arrives, so that it need not fit into memory; `findArrivalSize` decides. */
export function mayArrive({ method, headers }: HttpRequest, settings: ArrivalSettings): boolean {
  const contentType = firstHeader(headers, 'content-type');
  return method === 'POST' && contentType !== undefined && canArrive(settings) && ROW_TYPES.test(contentType);
}

/** @returns bytes of a body beyond which it is used while it arrives; undefined: it is taken whole whatever its size */
export function findArrivalSize(
  request: Pick<HttpRequest, 'headers' | 'arriving'>,
  head: ApiRequest,
  settings: RowSettings,
): number | undefined {
  const format = canArrive(settings) ? findRowFormat(request, head, settings) : undefined;
  if (format === undefined) return undefined;
  const { preferences, accepted } = head;
  const isPlan = accepted.some(({ kind }) => kind === 'plan');
  const isWhole = format === 'csv' && (preferences.return === 'representation' || isPlan);
  return isWhole ? undefined : STREAMED_FROM_BYTES[format];
}

function canArrive({ extensions, dbPool }: ArrivalSettings): boolean {
  return extensions.includes('ingest') && dbPool >= MIN_POOL;
}

/** @returns how the rows of the body are read one by one; undefined: they are not */
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
  // A body that is arriving already stays one, whatever the configuration has become meanwhile.
  const isOn = arriving !== undefined || extensions.includes('ingest');
  if (action.kind !== 'mutateRelation' || action.mutation !== 'insert' || !isOn) return undefined;
  const contentType = firstHeader(headers, 'content-type');
  const type = contentType === undefined ? undefined : parseMediaType(contentType, dialect);
  if (type?.kind === 'other' && type.essence === 'application/x-ndjson') return 'ndjson';
  return type?.kind === 'csv' ? 'csv' : undefined;
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
  const body = request.arriving ?? arriveAtOnce(request.body);
  const batches = await openRows(body, framer, { limits: settings, pause });
  if (!batches.ok) return batches;
  const { first } = batches.value;
  const bytes = first.objects(first.count);
  const source = format === 'csv' ? 'csv' : 'json';
  return ok({ kind: 'json', source, bytes, isArray: true, keys: framer.keys, batches: batches.value });
}
