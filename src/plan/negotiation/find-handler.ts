// The media type handlers of a schema cache, by element and type: O(1) for every request (`writing.md` §15.2, §15.5).
import type { MediaHandler } from '../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';

export interface HandlerScope {
  /** The relation read, or whose rows a function returns; for any other function, the function. */
  readonly element: QualifiedName | undefined;
  readonly elementKind: 'relation' | 'routine';
  /** `select` absent or `*`, without embeds: only then the element's own handlers count. */
  readonly isDefaultSelect: boolean;
  /** Of the schema cache. */
  readonly handlers: readonly MediaHandler[];
}

type ByMediaType = Map<string, MediaHandler>;

interface HandlerIndex {
  readonly forAny: ByMediaType;
  readonly byElement: Map<string, ByMediaType>;
}

/** Kept as long as the schema cache they belong to. */
const handlerIndexes = new WeakMap<readonly MediaHandler[], HandlerIndex>();

/** `mediaType` is a lower-cased `type/subtype`; undefined for a text that is none, which only an any-handler takes. */
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

/** A relation and a function may share a name. No PostgreSQL name contains the separator. */
function elementKey(kind: 'relation' | 'routine', { schema, name }: QualifiedName): string {
  return `${kind}\0${schema}\0${name}`;
}
