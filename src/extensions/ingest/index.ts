// Inserts while the body arrives (`beyond.md` §2.5): the rows of NDJSON and of long CSV bodies are read one by one, so that
// a body of any length needs little memory. Later stages do not decide again whether a body is read that way.
import { firstHeader } from '../../contract/http.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { RowBodies, RowRequest } from '../../request/row-bodies.ts';
import { FORMAT_NAMES, formatRow, type FormatName, FORMATS, type FormatWith } from '../../media/formats.ts';
import { formatOf, parseMediaType } from '../../media/media-type.ts';
import type { Extension, SeamSettings } from '../../serve/extension.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Payload } from '../../request/payload/payload.ts';
import { CsvFramer } from './csv-framer.ts';
import { NdjsonFramer } from './ndjson-framer.ts';
import { toArrivingBody, openRows, type RowLimits } from './row-reader.ts';

export const INGEST: Extension = {
  name: 'ingest',
  // Once a body is being read while it arrives, a change of the configuration does not affect it.
  compile: (settings) => ({ rowBodies: createRowBodies(settings) }),
};

/** The smallest pool that can give a slow client a connection and still keep one for other requests. */
const MIN_POOL = 2;

/** Bodies whose rows can be read one by one. */
type RowFormat = FormatWith<{ body: { streamedFrom: number } }>;

const ROW_TYPES = FORMAT_NAMES.filter(isRowFormat).map((name) => FORMATS[name].mediaType);

function isRowFormat(name: FormatName): name is RowFormat {
  return formatRow(name).body?.streamedFrom !== undefined;
}

function createRowBodies({ config, dialect }: SeamSettings): RowBodies {
  const isOn = config.extensions.ingest;
  const mayWait = isOn && config.dbPool >= MIN_POOL;
  const settings: RowSettings = {
    dialect,
    maxJsonDepth: config.serverMaxJsonDepth,
    maxBodySize: config.serverMaxBodySize,
    bodyTimeout: config.serverBodyTimeout,
  };
  const findFormat = ({ headers, arriving }: RowRequest, { action }: ApiRequest): RowFormat | undefined => {
    if (action.kind !== 'mutateRelation' || action.mutation !== 'insert') return undefined;
    const contentType = isOn || arriving !== undefined ? firstHeader(headers, 'content-type') : undefined;
    const name = contentType === undefined ? undefined : formatOf(parseMediaType(contentType, dialect));
    return name !== undefined && isRowFormat(name) ? name : undefined;
  };
  return {
    mayArrive({ method, headers }) {
      const contentType = mayWait && method === 'POST' ? firstHeader(headers, 'content-type') : undefined;
      const type = contentType?.trimStart().toLowerCase();
      return type !== undefined && ROW_TYPES.some((start) => type.startsWith(start));
    },
    findArrivalSize(request, head) {
      const format = mayWait ? findFormat(request, head) : undefined;
      if (format === undefined) return undefined;
      const { preferences, accepted } = head;
      const isPlan = accepted.some(({ kind }) => kind === 'plan');
      const isWhole =
        format === 'csv' && (preferences.return === 'representation' || preferences.return === 'changes' || isPlan);
      return isWhole ? undefined : FORMATS[format].body.streamedFrom;
    },
    findReader(request, head) {
      const format = findFormat(request, head);
      if (format === undefined || (format === 'csv' && request.arriving === undefined)) return undefined;
      return (pause) => readRows(request, head, format, settings, pause);
    },
  };
}

interface RowSettings extends RowLimits {
  readonly dialect: Dialect;
  readonly maxJsonDepth: number;
}

async function readRows(
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
