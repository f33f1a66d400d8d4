// Describes the rows of a relation or function in each media type.
import type { QualifiedName } from '../../contract/identifiers.ts';
import { answersRows, EVENT_STREAM_TYPE, FORMAT_LIST, FORMATS, type FormatRow } from '../../media/formats.ts';
import { ANY_ELEMENT, type DocumentContext, elementKey } from './document-context.ts';
import type { DescriptionInput } from '../../openapi/document/description-input.ts';
import type { JsonSchema, ValueSchema } from './types.ts';

export type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly itemSchema?: JsonSchema }>>;

const TEXT: ValueSchema = { type: 'string' };
/** A feature collection. */
const GEO_JSON: ValueSchema = { type: 'object' };

export interface Rows {
  readonly json: JsonSchema;
  readonly item: JsonSchema;
  /** Whether the rows are objects. */
  readonly isObject: boolean;
  /** Whether there may be any number of rows. */
  readonly isSet: boolean;
  /** The relation or function whose custom media types also apply. */
  readonly element: QualifiedName;
}

export function joinContents(contents: readonly Content[]): Content {
  return Object.fromEntries(contents.flatMap((content) => Object.entries(content)));
}

/** Describes a body in one format. Only JSON and form bodies have the given schema; others are text or bytes. */
export function describeFormat({ mediaType, described }: FormatRow, json: JsonSchema): Content {
  if (described === 'binary') return { [mediaType]: {} };
  return { [mediaType]: { schema: described === 'json' ? json : TEXT } };
}

/** Describes a format with one item per line: OpenAPI 3.2 can describe the items, older versions only text. */
export function describeLines(format: FormatRow, item: JsonSchema, { version }: DescriptionInput): Content {
  return version === '3.2' ? { [format.mediaType]: { itemSchema: item } } : describeFormat(format, item);
}

/** An event of a stream. */
const EVENT: ValueSchema = { type: 'object', properties: { event: TEXT, data: TEXT, id: TEXT } };

/** Lists every media type in which the rows are available. Bodies other than JSON are described as text or bytes. */
export function describeRows({ json, item, isObject, isSet, element }: Rows, context: DocumentContext): Content {
  const { mediaTypes, objectType } = context;
  const custom = [...(mediaTypes.get(ANY_ELEMENT) ?? []), ...(mediaTypes.get(elementKey(element)) ?? [])];
  const { input } = context;
  const { extensions } = input;
  const builtIn = FORMAT_LIST.filter(
    (format) => format.described !== 'none' && answersRows(format, { extensions, isSet }),
  );
  return {
    ...joinContents(
      builtIn.map((format) =>
        format.answer === 'lines' ? describeLines(format, item, input) : describeFormat(format, json),
      ),
    ),
    ...(input.cache.hasGeoJson && isObject ? { [FORMATS.geojson.mediaType]: { schema: GEO_JSON } } : {}),
    ...(isObject ? { [objectType]: { schema: item } } : {}),
    ...Object.fromEntries(
      custom.map(({ mediaType, isBinary }) => [
        mediaType === '*/*' ? FORMATS.octets.mediaType : mediaType,
        isBinary ? {} : describeText(mediaType, input),
      ]),
    ),
  };
}

/** Describes live rows (`beyond.md` §3.1b). */
export function describeEvents(input: DescriptionInput): Content {
  return { [EVENT_STREAM_TYPE]: describeText(EVENT_STREAM_TYPE, input) };
}

function describeText(mediaType: string, { version }: DescriptionInput): Content[string] {
  return version === '3.2' && mediaType === EVENT_STREAM_TYPE ? { itemSchema: EVENT } : { schema: TEXT };
}
