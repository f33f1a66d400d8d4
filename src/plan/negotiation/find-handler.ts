// Looks up the media type handlers of a schema cache by element and type, in constant time (`writing.md` §15.2, §15.5).
import type { MediaHandler } from '../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';

export interface HandlerScope {
  /** The relation that is read or whose rows a function returns; for any other function, the function itself. */
  readonly element: QualifiedName | undefined;
  readonly elementKind: 'relation' | 'routine';
  /** `select` is absent or `*`, without embeds. Only then do the element's own handlers apply. */
  readonly isDefaultSelect: boolean;
  /** Of the schema cache. */
  readonly handlers: readonly MediaHandler[];
}

type ByMediaType = Map<string, MediaHandler>;

interface HandlerIndex {
  readonly forAny: ByMediaType;
  readonly byElement: Map<string, ByMediaType>;
}

/** Lives as long as the schema cache that it indexes. */
const handlerIndexes = new WeakMap<readonly MediaHandler[], HandlerIndex>();

/**
 * @param mediaType a lowercase `type/subtype`; undefined for malformed text, which only a handler for any type accepts
 */
export function findHandler(mediaType: string | undefined, scope: HandlerScope): MediaHandler | undefined {
  const index = handlerIndexOf(scope.handlers);
  if (scope.isDefaultSelect && scope.element !== undefined) {
    const own = index.byElement.get(elementKey(scope.elementKind, scope.element));
    const handler = own?.get('*/*') ?? (mediaType === undefined ? undefined : own?.get(mediaType));
    if (handler !== undefined) return handler;
  }
  return mediaType === undefined ? undefined : index.forAny.get(mediaType);
}

function handlerIndexOf(handlers: readonly MediaHandler[]): HandlerIndex {
  const existing = handlerIndexes.get(handlers);
  if (existing !== undefined) return existing;
  const index: HandlerIndex = { forAny: new Map(), byElement: new Map() };
  for (const handler of handlers) {
    const group = groupOf(index, handler);
    if (!group.has(handler.mediaType)) group.set(handler.mediaType, handler);
  }
  handlerIndexes.set(handlers, index);
  return index;
}

function groupOf(index: HandlerIndex, { element, kind }: MediaHandler): ByMediaType {
  if (element === undefined) return index.forAny;
  const key = elementKey(kind === 'function' ? 'routine' : 'relation', element);
  const existing = index.byElement.get(key);
  if (existing !== undefined) return existing;
  const group: ByMediaType = new Map();
  index.byElement.set(key, group);
  return group;
}

/** Includes the kind because a relation and a function may share a name. PostgreSQL names cannot contain NUL. */
function elementKey(kind: 'relation' | 'routine', { schema, name }: QualifiedName): string {
  return `${kind}\0${schema}\0${name}`;
}
