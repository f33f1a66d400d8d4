import { expect, test } from 'vitest';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';
import { EXTENSION_NAMES, enableExtensions } from '../../src/contract/extensions.ts';
import {
  describeItems,
  omitPreference,
  parsePreferences,
  preferenceHeaders,
  type PreferenceUse,
} from '../../src/request/preferences.ts';

const SVC = { dialect: SVC_DIALECT, extensions: enableExtensions(EXTENSION_NAMES) };
const POSTGREST = { dialect: POSTGREST_DIALECT, extensions: enableExtensions([]) };

const EVERY_PREFERENCE =
  'paging=cursor, consistency=strong, max-affected=7, timezone=UTC, handling=strict, isolation=serializable, tx=rollback, count=exact, ' +
  'params=single-object, return=minimal, missing=default, resolution=merge-duplicates';

function applied(use: PreferenceUse, ...ineffective: Parameters<typeof preferenceHeaders>[2]): string | undefined {
  const [header] = preferenceHeaders(parsePreferences([['prefer', EVERY_PREFERENCE]], SVC), use, ineffective);
  return header?.[1];
}

test('each kind of request reports its own preferences, in the fixed order', () => {
  const common = 'count=exact, tx=rollback, isolation=serializable, handling=strict, timezone=UTC';
  expect(applied('read')).toBe(`${common}, consistency=strong, paging=cursor`);
  expect(applied('call')).toBe(`params=single-object, ${common}, max-affected=7, consistency=strong`);
  expect(applied('insert')).toBe(
    `resolution=merge-duplicates, missing=default, return=minimal, ${common}, max-affected=7`,
  );
  expect(applied('update')).toBe(`missing=default, return=minimal, ${common}, max-affected=7`);
  expect(applied('put')).toBe(`return=minimal, ${common}`);
  expect(applied('delete')).toBe(`return=minimal, ${common}, max-affected=7`);
});

test('preferences without effect are not reported', () => {
  expect(applied('delete', 'maxAffected', 'tx', 'isolation')).toBe(
    'return=minimal, count=exact, handling=strict, timezone=UTC',
  );
  expect(preferenceHeaders({ invalid: [] }, 'read', [])).toEqual([]);
});

test('the first recognized item of a preference counts; an integer is exact; text is taken as sent', () => {
  const items =
    'count=none,count=planned, count=exact, max-affected=x, max-affected=99999999999999999999, timezone=a=b';
  expect(parsePreferences([['prefer', items]], SVC)).toEqual({
    invalid: ['count=none'],
    count: 'planned',
    maxAffected: 99_999_999_999_999_999_999n,
    timezone: 'a=b',
  });
});

test('B92f a preference without a value', () => {
  expect(parsePreferences([['prefer', 'position, position=1']], SVC)).toEqual({
    invalid: ['position=1'],
    position: true,
  });
  expect(omitPreference([['accept', 'position']], 'position')).toEqual([['accept', 'position']]);
  const headers = [
    ['prefer', 'count=exact, position'],
    ['prefer', 'position'],
  ] as const;
  expect(omitPreference(headers, 'position')).toEqual([['prefer', 'count=exact']]);
});

test('API descriptions list what the dialect knows', () => {
  const rest = ['handling=lenient', 'handling=strict', 'timezone=Europe/Paris'];
  const isolation = ['isolation=serializable', 'isolation="repeatable read"', 'isolation="read committed"'];
  const read = ['count=exact', 'count=planned', 'count=estimated', ...isolation, ...rest];
  expect(describeItems('read', POSTGREST)).toEqual(['count=exact', 'count=planned', 'count=estimated', ...rest]);
  expect(describeItems('read', SVC)).toEqual([...read, 'consistency=strong', 'paging=cursor']);
  expect(describeItems('call', SVC)).toEqual([...read, 'max-affected=1', 'consistency=strong', 'position']);
  expect(describeItems('insert', SVC)).toEqual([
    'return=minimal',
    'return=headers-only',
    'return=representation',
    'return=changes',
    'resolution=merge-duplicates',
    'resolution=ignore-duplicates',
    'resolution=keep-duplicates',
    'missing=default',
    ...read,
    'inserted=true',
    'nested=write',
    'position',
  ]);
  expect(describeItems('insert', POSTGREST)).not.toContain('resolution=keep-duplicates');
  expect(describeItems('update', SVC)).toContain('unmatched=fail');
  expect(describeItems('put', SVC)).not.toContain('count=exact');
});

test('B54 a preference of a disabled extension is unknown', () => {
  const parsed = parsePreferences([['prefer', 'paging=cursor']], {
    dialect: SVC_DIALECT,
    extensions: enableExtensions(['stream']),
  });
  expect(parsed).toEqual({ invalid: ['paging=cursor'] });
});

test('B28 the isolation level is a preference of the extension; levels with a blank are quoted', () => {
  const parse = (value: string, settings: typeof SVC | typeof POSTGREST = SVC): unknown =>
    parsePreferences([['prefer', value]], settings);
  expect(parse('isolation="repeatable read"')).toEqual({ isolation: '"repeatable read"', invalid: [] });
  expect(parse('isolation=serializable')).toEqual({ isolation: 'serializable', invalid: [] });
  expect(parse('isolation=repeatable read')).toEqual({ invalid: ['isolation=repeatable read'] });
  expect(parse('isolation=snapshot')).toEqual({ invalid: ['isolation=snapshot'] });
  expect(parse('isolation=serializable', POSTGREST)).toEqual({ invalid: ['isolation=serializable'] });
});
