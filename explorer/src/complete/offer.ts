// What can stand at a place of the URL, before anything of it is typed.
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
  /** What people look for: a name as it is, without quotes and escapes. */
  readonly label: string;
  /** The URL text that takes the place of what is there. */
  readonly apply: string;
  readonly detail: string;
  readonly kind: OptionKind;
  /** Where in `apply` the caret goes; undefined: behind it. */
  readonly caret?: number | undefined;
}

export interface Offer {
  readonly options: readonly CompletionOption[];
  /** What is expected, where it cannot be listed. */
  readonly hint?: string | undefined;
}

/** What the schema knows of a request. */
export interface OfferContext {
  readonly index: SchemaIndex;
  readonly path: PathMeaning;
  /** Names of the parameters that are given. */
  readonly given: ReadonlySet<string>;
}

export function levelOf({ index, path }: OfferContext, level: SpotLevel | undefined): Level | undefined {
  return level && findLevel(path, level.chain, index);
}

export function describeColumn({ type, comment, isComputed }: LevelColumn): string {
  return joinDetails(isComputed === true ? `${type.name}, computed` : type.name, comment);
}

/** The first line of a comment is enough to choose by. */
export function joinDetails(first: string, comment: string | undefined): string {
  const line = comment?.split('\n')[0];
  return line === undefined || line === '' ? first : `${first} · ${line}`;
}

/** With `follow`, unless that follows already. */
export function followedBy(text: string, follow: string, next: string): string {
  return next !== '' && follow.startsWith(next) ? text : text + follow;
}

/** Behind the text a pair of parentheses with the caret in it, unless one is open already. */
export function withParentheses(
  text: string,
  next: string,
  option: Pick<CompletionOption, 'label' | 'detail' | 'kind'>,
): CompletionOption {
  if (next === '(' || next === '!') return { ...option, apply: text };
  return { ...option, apply: `${text}()`, caret: text.length + 1 };
}
