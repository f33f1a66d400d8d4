// The table of formats for response and request bodies, used for negotiation, for parsing bodies and in the OpenAPI 3.1
// document. `media-type.ts` has the vendor types (`application/vnd.…`), which take parameters. The Swagger document has
// its own specified lists (`operating.md` §12.2).
import type { ExtensionName, EnabledExtensions } from '../contract/extensions.ts';

export interface FormatRow {
  /** `type/subtype`, in lower case. */
  readonly mediaType: string;
  /** Sent in the `Content-Type` of responses. */
  readonly charset?: 'utf-8';
  /**
   * How rows become a response body. `value`: PostgreSQL builds it (`sql/body.ts`); `rows`: the server writes the
   * values of each row (`contract/delivery.ts`); `lines`: PostgreSQL builds one line per row, for sets of rows only.
   * Undefined if the format cannot represent rows.
   */
  readonly answer?: 'value' | 'rows' | 'lines';
  /**
   * How a request body is read. `parsed`: as rows or named arguments; `lines`: row by row; `raw`: unchanged, as the
   * only argument of a function. Undefined if the format is not accepted.
   */
  readonly body?: {
    readonly kind: 'parsed' | 'lines' | 'raw';
    /** Types of a single unnamed parameter that can receive the whole body. */
    readonly parameterTypes: readonly string[];
    /** API descriptions list the format for named arguments. */
    readonly hasArguments?: true;
    /** Size in bytes above which rows are inserted while the body arrives. */
    readonly streamedFrom?: number;
  };
  /** Extensions that responses and request bodies in this format require (`beyond.md`). Without them, it is unknown. */
  readonly extensions?: { readonly answer?: ExtensionName; readonly body?: ExtensionName };
  /** Schema in API descriptions; a string by default. `none`: not listed for responses. */
  readonly described?: 'json' | 'binary' | 'none';
}

/** Listed in the order of API descriptions. */
export const FORMATS = {
  json: {
    mediaType: 'application/json',
    charset: 'utf-8',
    answer: 'value',
    body: { kind: 'parsed', parameterTypes: ['json', 'jsonb'], hasArguments: true },
    described: 'json',
  },
  form: {
    mediaType: 'application/x-www-form-urlencoded',
    body: { kind: 'parsed', parameterTypes: [], hasArguments: true },
    described: 'json',
  },
  csv: {
    mediaType: 'text/csv',
    charset: 'utf-8',
    answer: 'rows',
    // Shorter CSV is inserted with one statement.
    body: { kind: 'parsed', parameterTypes: [], streamedFrom: 1_048_576 },
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    answer: 'lines',
    // The first batch should be complete before the request starts.
    body: { kind: 'lines', parameterTypes: [], streamedFrom: 65_536 },
    extensions: { answer: 'stream', body: 'ingest' },
  },
  // Described only if the database has the function that it needs (PostGIS).
  geojson: { mediaType: 'application/geo+json', charset: 'utf-8', answer: 'value', described: 'none' },
  text: { mediaType: 'text/plain', charset: 'utf-8', body: { kind: 'raw', parameterTypes: ['text'] } },
  xml: { mediaType: 'text/xml', charset: 'utf-8', body: { kind: 'raw', parameterTypes: ['xml'] } },
  octets: {
    mediaType: 'application/octet-stream',
    body: { kind: 'raw', parameterTypes: ['bytea'] },
    described: 'binary',
  },
  openapi: { mediaType: 'application/openapi+json', charset: 'utf-8' },
  any: { mediaType: '*/*' },
} as const;

/** Server-sent events. */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** The registered media type, which selects OpenAPI 3 regardless of the configuration. */
export const REGISTERED_OPENAPI_TYPE = 'application/vnd.oai.openapi+json';

export type FormatName = keyof typeof FORMATS;

/** The formats whose table rows have these members. */
export type FormatWith<Members> = {
  [Name in FormatName]: (typeof FORMATS)[Name] extends Members ? Name : never;
}[FormatName];

/** Formats of request bodies that can be read whole. */
export type PayloadFormat = FormatWith<{ body: { kind: 'parsed' | 'raw' } }>;
export type RawFormat = FormatWith<{ body: { kind: 'raw' } }>;
export type RawParameterType = (typeof FORMATS)[RawFormat]['body']['parameterTypes'][0];

export const FORMAT_NAMES: readonly FormatName[] = Object.keys(FORMATS).filter(isFormatName);
export const FORMAT_LIST: readonly FormatRow[] = Object.values(FORMATS);

/** Returns the row with its optional members, which the type of `FORMATS` omits. */
export function formatRow(name: FormatName): FormatRow {
  return FORMATS[name];
}

function isFormatName(key: string): key is FormatName {
  return Object.hasOwn(FORMATS, key);
}

export function isPayloadFormat(name: FormatName): name is PayloadFormat {
  const { body } = formatRow(name);
  return body !== undefined && body.kind !== 'lines';
}

export function isRawFormat(name: FormatName): name is RawFormat {
  return formatRow(name).body?.kind === 'raw';
}

/** Whether responses can represent rows in this format if these extensions are enabled. */
export function answersRows(
  { answer, extensions: needed }: FormatRow,
  { extensions, isSet }: { readonly extensions: EnabledExtensions; readonly isSet: boolean },
): boolean {
  if (answer === undefined || (answer === 'lines' && !isSet)) return false;
  return needed?.answer === undefined || extensions[needed.answer];
}
