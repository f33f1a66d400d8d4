// The formats of answers and request bodies, in one table. Accept and Content-Type, the reading of bodies, the built-in
// handlers of the catalog and the OpenAPI 3.1 document follow it. Formats below `application/vnd.<vendor>.` take parameters:
// `media-type.ts`. The lists of the Swagger document are prescribed (`operating.md` §12.2).
import type { Extension } from '../contract/extensions.ts';

export interface FormatRow {
  /** `type/subtype`, in lower case. */
  readonly mediaType: string;
  /** Sent in the `Content-Type` of responses. */
  readonly charset?: 'utf-8';
  /**
   * How rows become a body. `value`: PostgreSQL builds it (`sql/body.ts`); `rows`: the server writes the values of each row
   * (`contract/delivery.ts`); `lines`: the server sends lines that PostgreSQL builds, for sets of rows only. Undefined: the format answers no rows.
   */
  readonly answer?: 'value' | 'rows' | 'lines';
  /**
   * How a request body is read. `parsed`: into rows or named arguments; `lines`: into rows, one by one; `raw`: as the one
   * argument of a function. Undefined: the format is no request body.
   */
  readonly body?: {
    readonly kind: 'parsed' | 'lines' | 'raw';
    /** Types of the one unnamed parameter that receives the body whole. */
    readonly parameterTypes: readonly string[];
    /** It can hold named arguments; API descriptions say so. */
    readonly hasArguments?: true;
    /** Bytes of a body beyond which its rows are inserted while it arrives. */
    readonly streamedFrom?: number;
  };
  /** Extensions that it belongs to as an answer and as a body (`beyond.md`): without them its media type is unknown. */
  readonly extensions?: { readonly answer?: Extension; readonly body?: Extension };
  /** Its schema in API descriptions, where that is not a string. `none`: not described as an answer. */
  readonly described?: 'json' | 'binary' | 'none';
}

/** In the order of API descriptions. */
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
    // Shorter CSV is inserted by one statement.
    body: { kind: 'parsed', parameterTypes: [], streamedFrom: 1_048_576 },
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    answer: 'lines',
    // A request whose first batch has not come is better not begun.
    body: { kind: 'lines', parameterTypes: [], streamedFrom: 65_536 },
    extensions: { answer: 'stream', body: 'ingest' },
  },
  // Few databases have the functions that it needs.
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

/** The registered media type, which asks for OpenAPI 3 whatever is configured. */
export const REGISTERED_OPENAPI_TYPE = 'application/vnd.oai.openapi+json';

export type FormatName = keyof typeof FORMATS;

/** The formats whose rows have these members. */
export type FormatWith<Members> = {
  [Name in FormatName]: (typeof FORMATS)[Name] extends Members ? Name : never;
}[FormatName];

/** Bodies of requests, but those that are read line by line. */
export type PayloadFormat = FormatWith<{ body: { kind: 'parsed' | 'raw' } }>;
export type RawFormat = FormatWith<{ body: { kind: 'raw' } }>;
export type RawParameterType = (typeof FORMATS)[RawFormat]['body']['parameterTypes'][0];

export const FORMAT_NAMES: readonly FormatName[] = Object.keys(FORMATS).filter(isFormatName);
export const FORMAT_LIST: readonly FormatRow[] = Object.values(FORMATS);

/** With the members that not every row has. */
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

/** Whether rows are answered in this format where these extensions are on. */
export function answersRows(
  { answer, extensions: needed }: FormatRow,
  { extensions, isSet }: { readonly extensions: readonly Extension[]; readonly isSet: boolean },
): boolean {
  if (answer === undefined || (answer === 'lines' && !isSet)) return false;
  return needed?.answer === undefined || extensions.includes(needed.answer);
}
