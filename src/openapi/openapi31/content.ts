// What the rows of a relation or function look like in each media type.
import type { QualifiedName } from '../../contract/identifiers.ts';
import { LINES_TYPE } from '../../media/media-type.ts';
import { ANY_ELEMENT, type DocumentContext, elementKey } from './document-context.ts';
import type { JsonSchema, ValueSchema } from './types.ts';

export type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

const TEXT: ValueSchema = { type: 'string' };

export interface Rows {
  readonly json: JsonSchema;
  /** One row alone, where the rows are objects. */
  readonly row: JsonSchema | undefined;
  /** Whether there may be any number of them. */
  readonly isSet: boolean;
  /** The relation or function whose custom media types answer too. */
  readonly element: QualifiedName;
}

/** Every media type in which the rows can be had; another body than JSON is text or bytes. */
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
