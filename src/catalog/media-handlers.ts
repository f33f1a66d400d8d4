// Decodes rows of the statement `mediaHandlers` into custom media type handlers (`operating.md` §5.9).
import { type CatalogRow, flagAt, optionalTextAt, textAt } from './catalog-rows.ts';
import { FORMAT_LIST, FORMATS } from '../media/formats.ts';
import type { MediaHandler } from './schema-cache.ts';

/** Media types that every element supports without a handler. A handler for any element replaces the built-in type. */
const BUILT_IN_MEDIA_TYPES: readonly string[] = [
  FORMATS.any.mediaType,
  ...FORMAT_LIST.filter(({ answer, extensions }) => answer !== undefined && extensions === undefined).map(
    ({ mediaType }) => mediaType,
  ),
];

/** Returns the built-in types that no custom handler replaces. */
export function listBuiltInMediaTypes(handlers: readonly MediaHandler[]): readonly string[] {
  const replaced = new Set(handlers.flatMap(({ element, mediaType }) => (element === undefined ? [mediaType] : [])));
  return BUILT_IN_MEDIA_TYPES.filter((mediaType) => !replaced.has(mediaType));
}

/**
 * Keeps the first handler, by schema and name, of those with the same element, kind and media type. Overloads of a
 * function count as one handler.
 */
export function decodeMediaHandlers(rows: readonly CatalogRow[]): readonly MediaHandler[] {
  const handlers = new Map<string, MediaHandler>();
  for (const row of rows) {
    const handler = decodeHandler(row);
    const { element, kind, mediaType } = handler;
    const key = JSON.stringify([element?.schema, element?.name, kind, mediaType]);
    if (!handlers.has(key)) handlers.set(key, handler);
  }
  return [...handlers.values()];
}

function decodeHandler(row: CatalogRow): MediaHandler {
  const routine = { schema: textAt(row, 0), name: textAt(row, 1) };
  const isAggregate = flagAt(row, 2);
  const elementSchema = optionalTextAt(row, 5);
  const relation = elementSchema === undefined ? undefined : { schema: elementSchema, name: textAt(row, 6) };
  return {
    element: isAggregate ? relation : routine,
    mediaType: textAt(row, 3).toLowerCase(),
    kind: isAggregate ? 'aggregate' : 'function',
    routine,
    isBinary: flagAt(row, 4),
  };
}
