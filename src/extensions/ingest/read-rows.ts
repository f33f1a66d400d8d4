// Reads the rows of an insert, while its body arrives or from a body that is there.
import type { Dialect } from '../../contract/dialect.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { Payload } from '../../request/payload/payload.ts';
import type { RowRequest } from '../../request/row-bodies.ts';
import { CsvFramer } from './csv-framer.ts';
import { NdjsonFramer } from './ndjson-framer.ts';
import { toArrivingBody, openRows, type RowLimits } from './row-reader.ts';

export interface RowSettings extends RowLimits {
  readonly dialect: Dialect;
  readonly maxJsonDepth: number;
}

export async function readRows(
  request: RowRequest,
  { query }: ApiRequest,
  format: 'csv' | 'ndjson',
  settings: RowSettings,
  pause: () => Promise<unknown>,
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
