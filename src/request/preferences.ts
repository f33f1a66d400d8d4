// The table of preferences, used for parsing, `Preference-Applied` and the OpenAPI 3.1 document (`writing.md` §12). The
// Swagger document has its own specified lists (`operating.md` §12.4).
import type { Dialect } from '../contract/dialect.ts';
import type { ExtensionName, EnabledExtensions } from '../contract/extensions.ts';
import { allHeaders, type HeaderList } from '../contract/http.ts';

interface PreferenceValues {
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates' | 'keep-duplicates';
  readonly missing?: 'default' | 'null';
  readonly return?: 'minimal' | 'headers-only' | 'representation' | 'changes';
  readonly params?: 'single-object';
  readonly count?: 'exact' | 'planned' | 'estimated';
  readonly tx?: 'commit' | 'rollback';
  /** As sent: the values with a blank are quoted. */
  readonly isolation?: 'serializable' | '"repeatable read"' | '"read committed"';
  readonly handling?: 'lenient' | 'strict';
  /** As sent. */
  readonly timezone?: string;
  /** A bigint, because clients may send any number of digits. */
  readonly maxAffected?: bigint;
  readonly consistency?: 'strong';
  readonly paging?: 'cursor';
  /** Rows show whether they are new. */
  readonly inserted?: 'true';
  /** Elements of a body that match no row. */
  readonly unmatched?: 'fail';
  readonly nested?: 'write';
  /** Writes and streams report positions in the write-ahead log. */
  readonly position?: true;
}

export interface Preferences extends PreferenceValues {
  /** Unrecognized items in order of appearance. */
  readonly invalid: readonly string[];
}

export type PreferenceName = keyof PreferenceValues;

/** Requests to which different preferences apply. */
export type PreferenceUse = 'read' | 'insert' | 'update' | 'put' | 'delete' | 'call' | 'batch';

interface PreferenceRow {
  /** Recognized values: every text, every integer, none at all, or those listed. */
  readonly values: 'text' | 'integer' | 'none' | readonly string[];
  /** Requests that report it in `Preference-Applied`, unless it has no effect on their plan (`writing.md` §12.6). */
  readonly uses: readonly PreferenceUse[];
  /** Unknown to a dialect without `hasOwnPreferences`. */
  readonly isOwn?: true;
  /** Unknown while the extension is disabled. */
  readonly extension?: ExtensionName;
  /** Values that are unknown while the extension is disabled. */
  readonly further?: { readonly extension: ExtensionName; readonly values: readonly string[] };
  /** How API descriptions list it, if it differs from `values` and `uses`. */
  readonly described?: {
    readonly values?: readonly string[];
    readonly uses?: readonly PreferenceUse[];
    readonly isFirst?: true;
  };
}

type RowOf<Value> = PreferenceRow & {
  readonly values: bigint extends Value
    ? 'integer'
    : string extends Value
      ? 'text'
      : [Value] extends [true]
        ? 'none'
        : readonly Value[];
};

const WRITES = ['insert', 'update', 'put', 'delete'] as const;
const ALL = ['read', ...WRITES, 'call'] as const;
const TRANSACTIONS = [...ALL, 'batch'] as const;

/** Listed in the order of `Preference-Applied`. */
export const PREFERENCES: { readonly [Name in PreferenceName]-?: RowOf<NonNullable<PreferenceValues[Name]>> } = {
  resolution: {
    values: ['merge-duplicates', 'ignore-duplicates'],
    further: { extension: 'upsert', values: ['keep-duplicates'] },
    uses: ['insert'],
  },
  missing: { values: ['default', 'null'], uses: ['insert', 'update'], described: { values: ['default'] } },
  return: {
    values: ['minimal', 'headers-only', 'representation'],
    further: { extension: 'changes', values: ['changes'] },
    uses: WRITES,
    described: { isFirst: true },
  },
  // Kept for older clients.
  params: { values: ['single-object'], uses: ['call'], isOwn: true, described: { uses: [] } },
  // PUT writes one row and returns no range.
  count: {
    values: ['exact', 'planned', 'estimated'],
    uses: ALL,
    described: { uses: ['read', 'insert', 'update', 'delete', 'call'] },
  },
  // Not described, because it has no effect by default (`db-tx-end`).
  tx: { values: ['commit', 'rollback'], uses: TRANSACTIONS, described: { uses: [] } },
  isolation: {
    values: ['serializable', '"repeatable read"', '"read committed"'],
    uses: TRANSACTIONS,
    extension: 'batch',
    described: { uses: ALL },
  },
  handling: { values: ['lenient', 'strict'], uses: TRANSACTIONS, described: { uses: ALL } },
  timezone: { values: 'text', uses: ALL, described: { values: ['Europe/Paris'] } },
  // Inserts only follow it if they are nested (`beyond.md` §2.2).
  maxAffected: {
    values: 'integer',
    uses: ['insert', 'update', 'delete', 'call'],
    described: { values: ['1'], uses: ['update', 'delete', 'call'] },
  },
  consistency: { values: ['strong'], uses: ['read', 'call'], isOwn: true },
  paging: { values: ['cursor'], uses: ['read'], extension: 'cursor' },
  inserted: { values: ['true'], uses: ['insert', 'put'], extension: 'upsert' },
  unmatched: { values: ['fail'], uses: ['update'], extension: 'bulk' },
  nested: { values: ['write'], uses: ['insert', 'update'], extension: 'nested' },
  position: { values: 'none', uses: [...WRITES, 'call', 'batch'], extension: 'sync' },
};

interface Preference {
  readonly key: PreferenceName;
  /** Name in headers. */
  readonly name: string;
  readonly row: PreferenceRow;
}

const IN_ORDER: readonly Preference[] = Object.keys(PREFERENCES)
  .filter(isPreferenceName)
  .map((key) => ({
    key,
    name: headerNameOf(key),
    row: PREFERENCES[key],
  }));

/** `maxAffected` → `max-affected` */
export function headerNameOf(key: string): string {
  return key.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

function isPreferenceName(key: string): key is PreferenceName {
  return Object.hasOwn(PREFERENCES, key);
}

interface RecognizedItem {
  readonly preference: Preference;
  /** True: the preference has none. Undefined: the item is ignored. */
  readonly value: string | bigint | true | undefined;
  /** The value is unknown while this extension is disabled. */
  readonly extension?: ExtensionName;
}

/** Items whose values are listed in the table, such as `return=minimal`. */
const CLOSED_ITEMS: ReadonlyMap<string, RecognizedItem> = new Map(
  IN_ORDER.flatMap((preference) =>
    listItems(preference).map((item) => [renderItem(preference.name, item.value), item]),
  ),
);
/** The other preferences, by name. */
const OPEN_PREFERENCES: ReadonlyMap<string, Preference> = new Map(
  IN_ORDER.filter(({ row }) => row.values === 'text' || row.values === 'integer').map((preference) => [
    preference.name,
    preference,
  ]),
);
const BY_USE: ReadonlyMap<PreferenceUse, readonly Preference[]> = new Map(
  TRANSACTIONS.map((use) => [use, IN_ORDER.filter(({ row }) => row.uses.includes(use))]),
);

function listItems(preference: Preference): readonly RecognizedItem[] {
  const { row } = preference;
  const { extension, values = [] } = row.further ?? {};
  return [
    ...closedValues(row).map((value) => ({ preference, value })),
    ...values.map((value) => ({ preference, value, extension })),
  ];
}

function closedValues({ values }: PreferenceRow): readonly (string | true)[] {
  if (values === 'none') return [true];
  return typeof values === 'string' ? [] : values;
}

function renderItem(name: string, value: RecognizedItem['value']): string {
  return value === true ? name : `${name}=${value}`;
}

const NONE: Preferences = { invalid: [] };
const NO_HEADERS: HeaderList = [];

/** The preferences that exist. */
export interface PreferenceSettings {
  readonly dialect: Dialect;
  readonly extensions: EnabledExtensions;
}

export function parsePreferences(headers: HeaderList, settings: PreferenceSettings): Preferences {
  const lines = allHeaders(headers, 'prefer');
  if (lines.length === 0) return NONE;
  const found: Record<string, string | bigint | true> = {};
  const invalid: string[] = [];
  for (const item of lines.flatMap((line) => line.split(',')).map((text) => text.trim())) {
    const recognized = CLOSED_ITEMS.get(item) ?? readOpenItem(item);
    if (recognized === undefined || !isKnownItem(recognized, settings)) invalid.push(item);
    else if (recognized.value !== undefined) found[recognized.preference.key] ??= recognized.value;
  }
  return { invalid, ...found };
}

function readOpenItem(item: string): RecognizedItem | undefined {
  const split = item.indexOf('=');
  const preference = OPEN_PREFERENCES.get(item.slice(0, Math.max(split, 0)));
  if (preference === undefined) return undefined;
  const text = item.slice(split + 1);
  if (preference.row.values === 'text') return { preference, value: text };
  return { preference, value: /^-?\d+$/u.test(text) ? BigInt(text) : undefined };
}

function isKnownItem({ preference, extension }: RecognizedItem, settings: PreferenceSettings): boolean {
  return isKnown(preference.row, settings) && (extension === undefined || settings.extensions[extension]);
}

function isKnown({ isOwn, extension }: PreferenceRow, { dialect, extensions }: PreferenceSettings): boolean {
  if (extension !== undefined) return extensions[extension];
  return isOwn === undefined || dialect.hasOwnPreferences;
}

/**
 * Returns the headers of every response that follows the preferences.
 *
 * @param ineffective preferences that have no effect on this request
 */
export function preferenceHeaders(
  preferences: Preferences,
  use: PreferenceUse,
  ineffective: readonly PreferenceName[],
): HeaderList {
  let applied = '';
  for (const { key, name } of BY_USE.get(use) ?? []) {
    const value = preferences[key];
    if (value === undefined || ineffective.includes(key)) continue;
    applied += `${applied === '' ? '' : ', '}${name}${value === true ? '' : `=${value}`}`;
  }
  return applied === '' ? NO_HEADERS : [['Preference-Applied', applied]];
}

/** Returns the items that an API description lists for a kind of request. */
export function describeItems(use: PreferenceUse, settings: PreferenceSettings): readonly string[] {
  const listed = IN_ORDER.filter(
    ({ row }) => isKnown(row, settings) && (row.described?.uses ?? row.uses).includes(use),
  );
  const isFirst = ({ row }: Preference): boolean => row.described?.isFirst === true;
  return [...listed.filter(isFirst), ...listed.filter((one) => !isFirst(one))].flatMap(({ name, row }) =>
    describedValues(row, settings).map((value) => renderItem(name, value)),
  );
}

function describedValues(row: PreferenceRow, { extensions }: PreferenceSettings): readonly (string | true)[] {
  const { further } = row;
  const values = row.described?.values ?? closedValues(row);
  return further !== undefined && extensions[further.extension] ? [...values, ...further.values] : values;
}

/** Removes a preference without a value from the headers. */
export function omitPreference(headers: HeaderList, name: PreferenceName): HeaderList {
  if (!headers.some(([key, value]) => key === 'prefer' && value.includes(name))) return headers;
  return headers.flatMap(([key, value]) => {
    if (key !== 'prefer') return [[key, value] as const];
    const kept = value.split(',').filter((item) => item.trim() !== name);
    return kept.length === 0 ? [] : [[key, kept.join(',').trim()] as const];
  });
}
