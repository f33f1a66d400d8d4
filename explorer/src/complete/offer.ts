// Types and helpers of completion options, independent of the typed text.
import type { ExtensionName } from '../../../src/contract/extensions.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { findLevel, type Level, type LevelColumn, type PathMeaning } from './level.ts';
import type { SpotLevel } from './spot.ts';

export type OptionKind =
  | 'relation'
  | 'function'
  | 'column'
  | 'relationship'
  | 'parameter'
  | 'operator'
  | 'aggregate'
  | 'type'
  | 'value'
  | 'keyword';

export interface CompletionOption {
  /** The plain name, without quotes and escapes. */
  readonly label: string;
  /** The URL text to insert. */
  readonly apply: string;
  readonly detail: string;
  readonly kind: OptionKind;
  /** Position of the caret within `apply`. Defaults to its end. */
  readonly caret?: number | undefined;
}

export interface Offer {
  readonly options: readonly CompletionOption[];
  /** Description of the expected text, if the options cannot be listed. */
  readonly hint?: string | undefined;
}

/** Information of the schema about the request. */
export interface OfferContext {
  readonly index: SchemaIndex;
  readonly path: PathMeaning;
  /** Names of the parameters in the URL. */
  readonly given: ReadonlySet<string>;
}

export function hasExtension({ index }: OfferContext, name: ExtensionName): boolean {
  return index.document.features.extensions?.includes(name) === true;
}

/** Returns whether groups can be ordered and filtered by aggregates. */
export function hasGroupAggregates(context: OfferContext): boolean {
  return context.index.document.features.aggregates && hasExtension(context, 'aggregates');
}

export function levelOf({ index, path }: OfferContext, level: SpotLevel | undefined): Level | undefined {
  return level && findLevel(path, level.chain, index);
}

export function describeColumn({ type, comment, isComputed }: LevelColumn): string {
  return joinDetails(isComputed === true ? `${type.name}, computed` : type.name, comment);
}

/** Uses only the first line of a comment. */
export function joinDetails(first: string, comment: string | undefined): string {
  const line = comment?.split('\n')[0];
  return line === undefined || line === '' ? first : `${first} · ${line}`;
}

/** Appends `follow`, unless it already follows. */
export function followedBy(text: string, follow: string, next: string): string {
  return next !== '' && follow.startsWith(next) ? text : text + follow;
}

/** Appends parentheses with the caret inside, unless one already follows. */
export function withParentheses(
  text: string,
  next: string,
  option: Pick<CompletionOption, 'label' | 'detail' | 'kind'>,
): CompletionOption {
  if (next === '(' || next === '!') return { ...option, apply: text };
  return { ...option, apply: `${text}()`, caret: text.length + 1 };
}
