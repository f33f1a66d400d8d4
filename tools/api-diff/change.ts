// A change of an API that clients may notice, and how it is reported (`project.md` §3 item 5).
import { compareCodePoints } from '../../src/util/code-points.ts';

export type Level = 'breaking' | 'risky' | 'compatible';

/** Every kind with its level. A widened type is risky; any other change of a type is breaking. */
const KINDS = {
  'route-removed': 'breaking',
  'route-became-read-only': 'breaking',
  'column-removed': 'breaking',
  'column-renamed': 'breaking',
  'column-type-changed': 'breaking',
  'column-became-required': 'breaking',
  'column-became-read-only': 'breaking',
  'enum-value-removed': 'breaking',
  'key-changed': 'breaking',
  'conflict-target-removed': 'breaking',
  'function-removed': 'breaking',
  'argument-added-required': 'breaking',
  'argument-became-required': 'breaking',
  'argument-removed': 'breaking',
  'argument-renamed': 'breaking',
  'argument-type-changed': 'breaking',
  'result-changed': 'breaking',
  'volatility-changed': 'breaking',
  'privilege-lost': 'breaking',
  'column-privilege-lost': 'breaking',
  'embed-removed': 'breaking',
  'embed-ambiguous': 'breaking',
  'embed-cardinality-changed': 'breaking',
  'media-type-removed': 'breaking',
  'column-became-nullable': 'risky',
  'column-became-not-null': 'risky',
  'constraint-added': 'risky',
  'enum-value-added': 'risky',
  'policy-changed': 'risky',
  'privilege-gained': 'risky',
  'column-privilege-gained': 'risky',
  'embed-hint-removed': 'risky',
  'route-added': 'compatible',
  'column-added': 'compatible',
  'column-became-optional': 'compatible',
  'function-added': 'compatible',
  'argument-added-optional': 'compatible',
  'embed-added': 'compatible',
  'media-type-added': 'compatible',
} as const;

export type ChangeKind = keyof typeof KINDS;

export const CHANGE_KINDS: readonly ChangeKind[] = Object.keys(KINDS).filter(
  (kind): kind is ChangeKind => kind in KINDS,
);

export interface Change {
  readonly level: Level;
  readonly kind: ChangeKind;
  readonly schema: string;
  /** `/orders` or `/rpc/total`. */
  readonly path: string;
  /** Input types of a function: `(a integer)`. */
  readonly signature: string | undefined;
  /** The column, argument, policy, embedded relation or media type. */
  readonly name: string | undefined;
  readonly privilege: string | undefined;
  /** The web roles that notice it, sorted. Empty if the API has no web roles. */
  readonly roles: readonly string[];
  readonly message: string;
  /** What a request must use to be affected, beyond the path and `name`. */
  readonly uses: Uses;
}

/**
 * What a request must do to notice a change, besides using its route or function. A body that a log does not contain may
 * do anything.
 */
export type Uses =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'any' }
  /** Uses one of these commands. */
  | { readonly kind: 'commands'; readonly letters: string }
  /** Reads the column or filters by it (`s`), or gives it a value (`i`, `u`). */
  | { readonly kind: 'column'; readonly letters: string }
  /** Inserts a row or calls the function without it. */
  | { readonly kind: 'missing'; readonly name: string }
  /** Sends one of these values. */
  | { readonly kind: 'values'; readonly values: readonly string[] }
  /** Names these columns, or an index as `!name`, in `on_conflict`. */
  | { readonly kind: 'conflict'; readonly target: readonly string[] }
  /** Identifies rows by their key: PUT, and upserts without `on_conflict`. */
  | { readonly kind: 'key' }
  /** Calls the function, with GET or with this argument. */
  | { readonly kind: 'call'; readonly argument: string | undefined; readonly isGet: boolean }
  /** Embeds it in any way, without a hint, or with this hint. */
  | { readonly kind: 'embed'; readonly with: 'any' | 'none' }
  | { readonly kind: 'hint'; readonly hint: string }
  /** Accepts it by name. */
  | { readonly kind: 'mediaType' };

export type ChangeDetails = Pick<Change, 'schema' | 'path' | 'roles' | 'message' | 'uses'> &
  Partial<Pick<Change, 'level' | 'signature' | 'name' | 'privilege'>>;

export function createChange(kind: ChangeKind, details: ChangeDetails): Change {
  const { schema, path, signature, name, privilege, message, uses, level = KINDS[kind] } = details;
  const roles = details.roles.filter((role) => role !== '').toSorted(compareCodePoints);
  return { level, kind, schema, path, signature, name, privilege, roles, message, uses };
}

const LEVELS: readonly Level[] = ['breaking', 'risky', 'compatible'];

/** Orders by level, then path, kind and name; further fields make the order certain. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      compareCodePoints(a.path, b.path) ||
      compareCodePoints(a.kind, b.kind) ||
      compareCodePoints(a.name ?? '', b.name ?? '') ||
      compareCodePoints(a.schema, b.schema) ||
      compareCodePoints(a.signature ?? '', b.signature ?? '') ||
      compareCodePoints(a.privilege ?? '', b.privilege ?? '') ||
      compareCodePoints(a.message, b.message),
  );
}
