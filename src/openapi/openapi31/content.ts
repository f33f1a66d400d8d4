// Describes the rows of a relation or function in each media type.
import type { QualifiedName } from '../../contract/identifiers.ts';
import { LINES_TYPE } from '../../media/media-type.ts';
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

/** Lists every media type in which the rows are available; bodies other than JSON are text or bytes. */
export function describeRows({ json, row, isSet, element }: Rows, context: DocumentContext): Content {
  const { mediaTypes, objectType } = context;
  const custom = [...(mediaTypes.get(ANY_ELEMENT) ?? []), ...(mediaTypes.get(elementKey(element)) ?? [])];
  return {
    'application/json': { schema: json },
    'text/csv': { schema: TEXT },
    ...(isSet && context.input.hasLines ? { [LINES_TYPE]: { schema: TEXT } } : {}),
    ...(row === undefined ? {} : { [objectType]: { schema: row } }),
    ...Object.fromEntries(
      custom.map(({ mediaType, isBinary }) => [
        mediaType === '*/*' ? 'application/octet-stream' : mediaType,
        isBinary ? {} : { schema: TEXT },
      ]),
    ),
  };
}
