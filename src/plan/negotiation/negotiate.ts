// Negotiates the format of the response from the accepted media types, most preferred first: a built-in format or a
// handler defined in the database (`writing.md` §15.2, §16).
import type { MediaHandler } from '../../catalog/schema-cache.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { EnabledExtensions } from '../../contract/extensions.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import {
  answersRows,
  EVENT_STREAM_TYPE,
  FORMAT_NAMES,
  formatRow,
  type FormatName,
  type FormatWith,
} from '../../media/formats.ts';
import {
  contentTypeOf,
  contentTypeOfFormat,
  formatOf,
  parseMediaType,
  printMediaType,
  type MediaType,
  type PlanMediaType,
  type PlanOption,
} from '../../media/media-type.ts';

/** Built-in formats that can represent rows, except `json`, which has the option of omitting null members. */
export type PlainAnswer = Exclude<FormatWith<{ answer: string }>, 'json'>;

export type AnswerFormat =
  | { readonly kind: 'json'; /** Whether null members are omitted. */ readonly stripped: boolean }
  | { readonly kind: 'object'; readonly stripped: boolean }
  | { readonly [Name in PlainAnswer]: { readonly kind: Name } }[PlainAnswer]
  | { readonly kind: 'custom'; readonly handler: MediaHandler };

export interface ExplainPlan {
  readonly format: 'text' | 'json';
  readonly options: readonly PlanOption[];
}

export interface Negotiated {
  /** With `plan`, the format of the explained query. */
  readonly format: AnswerFormat;
  /** Value of the response's `Content-Type`. */
  readonly contentType: string;
  /** Set if the client asked for the execution plan instead of the rows. */
  readonly plan?: ExplainPlan | undefined;
  /** Set if the response is a stream of events; `format` is then that of the statement's result. */
  readonly events?: EventSubject;
}

/** What a stream of events reports: notifications on the channels that a function returns, or changes of rows. */
export type EventSubject = 'channels' | 'rows';

export interface NegotiationContext extends HandlerScope {
  readonly planEnabled: boolean;
  /** Whether GeoJSON is unknown, because the database has no function for it. */
  readonly lacksGeoJson?: boolean;
  readonly extensions: EnabledExtensions;
  /** Whether there may be any number of rows. */
  readonly isSet: boolean;
  /** Undefined if the result cannot become a stream of events. */
  readonly events?: EventSubject | undefined;
}

/** Fails with `mediaTypeUnavailable`. */
export function negotiate(
  accepted: readonly MediaType[],
  context: NegotiationContext,
  dialect: Dialect,
): Result<Negotiated, ApiError> {
  for (const type of accepted) {
    const negotiated = type.kind === 'plan' ? explain(type, context, dialect) : answer(type, context, dialect);
    if (negotiated !== undefined) return ok(negotiated);
  }
  return fail(unavailable(accepted));
}

export function unavailable(accepted: readonly MediaType[]): ApiError {
  return { kind: 'mediaTypeUnavailable', accepted: accepted.map(printMediaType) };
}

function explain(type: PlanMediaType, context: NegotiationContext, dialect: Dialect): Negotiated | undefined {
  const explained = context.planEnabled ? answer(type.for, context, dialect) : undefined;
  if (explained === undefined) return undefined;
  const { format, options } = type;
  return { format: explained.format, contentType: contentTypeOf(type), plan: { format, options } };
}

function answer(type: MediaType, context: NegotiationContext, dialect: Dialect): Negotiated | undefined {
  if (type.kind === 'plan') return undefined;
  if (type.kind === 'object') {
    return { format: { kind: 'object', stripped: type.stripped }, contentType: contentTypeOf(type) };
  }
  if (type.kind === 'arrayStripped') {
    return { format: { kind: 'json', stripped: true }, contentType: contentTypeOf(type) };
  }
  return answerEvents(type, context) ?? answerCustom(type, context, dialect) ?? answerBuiltIn(type, context);
}

function answerEvents(type: MediaType, { events }: NegotiationContext): Negotiated | undefined {
  if (events === undefined || type.kind !== 'other' || type.essence !== EVENT_STREAM_TYPE) return undefined;
  return { format: { kind: 'json', stripped: false }, contentType: EVENT_STREAM_TYPE, events };
}

function answerCustom(type: MediaType, context: NegotiationContext, dialect: Dialect): Negotiated | undefined {
  if (context.handlers.length === 0) return undefined;
  const name = type.kind === 'other' ? type.essence : printMediaType(type);
  const handler = findHandler(name, context);
  if (handler === undefined) return undefined;
  const contentType = contentTypeOf(parseMediaType(handler.mediaType, dialect));
  return { format: { kind: 'custom', handler }, contentType };
}

/** The result of negotiation for each built-in format that can represent rows. */
const BUILT_IN: ReadonlyMap<FormatName, Negotiated> = new Map(FORMAT_NAMES.flatMap(describeBuiltIn));

function describeBuiltIn(name: FormatName): readonly (readonly [FormatName, Negotiated])[] {
  const contentType = contentTypeOfFormat(name === 'any' ? 'json' : name);
  if (name === 'any' || name === 'json') return [[name, { format: { kind: 'json', stripped: false }, contentType }]];
  return isPlainAnswer(name) ? [[name, { format: { kind: name }, contentType }]] : [];
}

function isPlainAnswer(name: FormatName): name is PlainAnswer {
  return formatRow(name).answer !== undefined && name !== 'json';
}

function answerBuiltIn(type: MediaType, context: NegotiationContext): Negotiated | undefined {
  const name = formatOf(type);
  if (name === undefined || (type.kind === 'other' && !answersRows(formatRow(name), context))) return undefined;
  return name === 'geojson' && context.lacksGeoJson === true ? undefined : BUILT_IN.get(name);
}

interface HandlerScope {
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
 * Looks up the media type handlers of a schema cache by element and type, in constant time (`writing.md` §15.2,
 * §15.5).
 *
 * @param mediaType a lowercase `type/subtype`; undefined for malformed text, which only a handler for any type accepts
 */
function findHandler(mediaType: string | undefined, scope: HandlerScope): MediaHandler | undefined {
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
