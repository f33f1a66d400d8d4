// No JSON body is read in a long stretch, and no text of it becomes a long string, whatever its shape.
import { describe, expect, test } from 'vitest';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';
import type { Result } from '../../../src/contract/result.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { parseElements } from '../../../src/request/payload/parse-elements.ts';
import { parsePayload } from '../../../src/request/payload/parse-payload.ts';
import { MAX_NAMES, type Payload } from '../../../src/request/payload/payload.ts';
import { runSlices, type Slices } from '../../../src/util/slices.ts';

const SETTINGS = { dialect: SVC_DIALECT, maxJsonDepth: 512 };
const MEGABYTE = 1_048_576;
/** More than the bytes of any slice. */
const SLICE = 131_072;

function countSlices<T>(slices: Slices<T>): readonly [count: number, value: T] {
  for (let count = 1; ; count += 1) {
    const step = slices.next();
    if (step.done === true) return [count, step.value];
  }
}

function parse(text: string, columns?: readonly string[]): Slices<Result<Payload, ApiError>> {
  const body = new TextEncoder().encode(text);
  return parsePayload({ contentType: undefined, body, target: 'relation', columns }, SETTINGS);
}

function parsePatch(text: string): Slices<Result<Payload, ApiError>> {
  const request = { contentType: undefined, body: new TextEncoder().encode(text), columns: undefined, match: ['id'] };
  return parseElements({ ...request, format: 'operations' }, SETTINGS);
}

const long = 'x'.repeat(MEGABYTE);
const wide = `[${'1,'.repeat(MEGABYTE / 2)}1]`;

describe('slices', () => {
  test.each([
    ['a long string', `{"a":"${long}"}`],
    ['a long string of escapes', `{"a":"${String.raw`\u0041`.repeat(MEGABYTE / 6)}"}`],
    ['a long string alone', `"${long}"`],
    ['a wide array', `{"a":${wide}}`],
    ['a long row after one with the same keys', `[{"a":1},{"a":"${long}"}]`],
    ['a wide row after one with the same keys', `[{"a":1},{"a":${wide}}]`],
    ['a long element after one that does not fit', `[1,"${long}"]`],
    ['a long string that is cut off', `{"a":"${long}`],
    ['a long string before an error', `{"a":"${long}",}`],
    ['a long key within a value', `{"a":{"${long}":1}}`],
  ])('%s', (_, text) => {
    const [plain] = countSlices(parse(text));
    const [listed] = countSlices(parse(text, ['a']));
    expect(plain).toBeGreaterThan(text.length / SLICE);
    expect(listed).toBeGreaterThan(text.length / SLICE);
  });

  test.each([
    ['a long operand', `{"id":1,"a":{"$set":"${long}"}}`],
    ['a long string in an object to merge', `{"id":1,"a":{"$merge":{"b":"${long}"}}}`],
  ])('B65 %s', (_, text) => {
    const [count, payload] = countSlices(parsePatch(text));
    expect(payload.ok).toBe(true);
    expect(count).toBeGreaterThan((2 * text.length) / SLICE);
  });
});

describe('numbers', () => {
  const longest = '9'.repeat(MEGABYTE);

  test.each([longest, `-${longest}.${longest}e+${longest}`])(
    'a number with 1 MB of digits in a row is valid',
    (text) => {
      expect(runSlices(parse(`{"a":${text}}`))).toMatchObject({ ok: true, value: { keys: ['a'] } });
    },
  );

  test.each([`${longest}9`, `0.${longest}9`, `1e${longest}9`])('more digits in a row are not', (text) => {
    for (const body of [text, `{"a":${text}}`, `[{"a":1},{"a":[${text}]}]`])
      expect(runSlices(parse(body))).toMatchObject({ ok: false, error: { kind: 'invalidBody' } });
  });
});

describe('names', () => {
  const tooLong = {
    ok: false,
    error: { kind: 'limitExceeded', limit: 'names in a body have up to 32768 bytes', status: 400 },
  };

  test.each(['{"?":1}', '[{"?":1}]', '[{"id":1},{"?":1}]'])('%s with a name of 1 MB is refused', (text) => {
    expect(runSlices(parse(text.replace('?', long)))).toEqual(tooLong);
    expect(runSlices(parsePatch(text.replace('?', long)))).toEqual(tooLong);
  });

  test('a name of 30 kB is none too long', () => {
    const name = 'x'.repeat(30_000);
    expect(runSlices(parse(`{"${name}":1}`))).toMatchObject({ ok: true, value: { keys: [name] } });
  });

  test('B37 elements with ever different keys have as many keys as other bodies', () => {
    const elements = Array.from({ length: 20_000 }, (_, index) => `{"id":1,"k${index}":1}`);
    const [count, payload] = countSlices(parsePatch(`[${elements.join(',')}]`));
    if (!payload.ok || payload.value.kind !== 'json') throw new Error('The body is valid');
    expect(payload.value.keys).toHaveLength(10_000);
    expect(count).toBeGreaterThan(1);
  });

  test('B65 operations get keys that the body does not contain', () => {
    const payload = runSlices(parsePatch(`[{"id":1,"$1":1,"${'$'.repeat(30_000)}":2,"a":{"$add":1},"b":{"$add":1}}]`));
    if (!payload.ok || payload.value.kind !== 'json') throw new Error('The body is valid');
    const [row]: readonly Record<string, unknown>[] = JSON.parse(Buffer.concat(payload.value.bytes).toString());
    expect(row).toMatchObject({ id: 1, $1: 1, $2: 1, $3: 1 });
    expect([...(payload.value.elements?.operations.keys() ?? [])]).toEqual(['$2', '$3']);
  });
});

test('B65 after more operations than any table has columns, no element is rewritten', () => {
  const count = 4 * MAX_NAMES;
  const elements = Array.from({ length: count }, (_, index) => `{"id":1,"c${index}":{"$add":1}}`);
  const payload = runSlices(parsePatch(`[${elements.join(',')}]`));
  if (!payload.ok || payload.value.kind !== 'json') throw new Error('expected JSON');
  const { bytes, keys } = payload.value;
  expect(JSON.parse(Buffer.concat(Array.isArray(bytes) ? bytes : [bytes]).toString())).toHaveLength(MAX_NAMES + 1);
  expect(keys).toHaveLength(MAX_NAMES);
});
