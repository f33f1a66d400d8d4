// `Prefer` headers → preferences as data, and back to `Preference-Applied` (`writing.md` §12).
import type { Dialect } from '../contract/dialect.ts';
import { allHeaders, type HeaderList } from '../contract/http.ts';

export interface Preferences {
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  readonly missing?: 'default' | 'null';
  readonly return?: 'representation' | 'minimal' | 'headers-only';
  readonly params?: 'single-object';
  readonly count?: 'exact' | 'planned' | 'estimated';
  readonly tx?: 'commit' | 'rollback';
  readonly handling?: 'strict' | 'lenient';
  readonly consistency?: 'strong';
  /** As sent. */
  readonly timezone?: string;
  /** Exact, however many digits were sent. */
  readonly maxAffected?: bigint;
  /** Unrecognised items in order of appearance. */
  readonly invalid: readonly string[];
}

/** Names of preferences in the order of `Preference-Applied`. */
export type PreferenceName = (typeof APPLIED_ORDER)[number];

const APPLIED_ORDER = [
  'resolution',
  'missing',
  'return',
  'params',
  'count',
  'tx',
  'handling',
  'timezone',
  'max-affected',
  'consistency',
] as const;

/** Of the preferences that have no others. */
export const CLOSED_VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['missing', ['default', 'null']],
  ['return', ['representation', 'minimal', 'headers-only']],
  ['params', ['single-object']],
  ['count', ['exact', 'planned', 'estimated']],
  ['tx', ['commit', 'rollback']],
  ['handling', ['strict', 'lenient']],
  ['consistency', ['strong']],
]);

const NONE: Preferences = { invalid: [] };

export function parsePreferences(headers: HeaderList, dialect: Dialect): Preferences {
  const lines = allHeaders(headers, 'prefer');
  if (lines.length === 0) return NONE;
  const found: Record<string, string | bigint> = {};
  const invalid: string[] = [];
  for (const item of lines.flatMap((line) => line.split(',')).map((text) => text.trim())) {
    const preference = parseItem(item, dialect);
    if (preference === undefined) invalid.push(item);
    else if (preference.value !== undefined) found[preference.key] ??= preference.value;
  }
  return { invalid, ...found };
}

/** @returns undefined for an unrecognised item; no value for one that is recognised but says nothing */
function parseItem(
  item: string,
  { hasSingleObjectPreference, hasConsistencyPreference }: Dialect,
): { readonly key: string; readonly value: string | bigint | undefined } | undefined {
  const split = item.indexOf('=');
  const name = item.slice(0, Math.max(split, 0));
  const value = item.slice(split + 1);
  if (name === 'timezone') return { key: 'timezone', value };
  if (name === 'max-affected') return { key: 'maxAffected', value: /^-?\d+$/u.test(value) ? BigInt(value) : undefined };
  if (name === 'params' && !hasSingleObjectPreference) return undefined;
  if (name === 'consistency' && !hasConsistencyPreference) return undefined;
  return CLOSED_VALUES.get(name)?.includes(value) ? { key: name, value } : undefined;
}

/**
 * @param applicable the preferences that mean something for this request
 * @returns the value of `Preference-Applied`, or undefined when nothing was applied
 */
export function renderApplied(preferences: Preferences, applicable: ReadonlySet<PreferenceName>): string | undefined {
  const items: string[] = [];
  for (const name of APPLIED_ORDER) {
    const value = name === 'max-affected' ? preferences.maxAffected : preferences[name];
    if (value !== undefined && applicable.has(name)) items.push(`${name}=${value}`);
  }
  return items.length === 0 ? undefined : items.join(', ');
}
