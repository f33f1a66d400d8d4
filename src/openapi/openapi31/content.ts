// Describes the rows of a relation or function in each media type.
import type { QualifiedName } from '../../contract/identifiers.ts';
import { answersRows, FORMAT_LIST, FORMATS, type FormatRow } from '../../media/formats.ts';
import { ANY_ELEMENT, type DocumentContext, elementKey } from './document-context.ts';
import type { JsonSchema, ValueSchema } from './types.ts';

export type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

const TEXT: ValueSchema = { type: 'string' };

export interface Rows {
  readonly json: JsonSchema;
  /** A single row, if the rows are objects. */
  readonly row: JsonSchema | undefined;
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

/** Lists every media type in which the rows are available. Bodies other than JSON are described as text or bytes. */
export function describeRows({ json, row, isSet, element }: Rows, context: DocumentContext): Content {
  const { mediaTypes, objectType } = context;
  const custom = [...(mediaTypes.get(ANY_ELEMENT) ?? []), ...(mediaTypes.get(elementKey(element)) ?? [])];
  const { extensions } = context.input;
  const builtIn = FORMAT_LIST.filter(
    (format) => format.described !== 'none' && answersRows(format, { extensions, isSet }),
  );
  return {
    ...joinContents(builtIn.map((format) => describeFormat(format, json))),
    ...(row === undefined ? {} : { [objectType]: { schema: row } }),
    ...Object.fromEntries(
      custom.map(({ mediaType, isBinary }) => [
        mediaType === '*/*' ? FORMATS.octets.mediaType : mediaType,
        isBinary ? {} : { schema: TEXT },
      ]),
    ),
  };
}
