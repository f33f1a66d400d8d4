import { array, assert, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { buildFailure, buildResult } from '../../src/extensions/agents/calls/tool.ts';

const LIST = { name: 'rows', offset: 0, hasMore: false, canContinue: true };

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

test('B49 results have at most 64 KiB, whatever they contain', () => {
  const item = string({ maxLength: 20_000, unit: 'grapheme' });
  assert(
    property(array(item, { maxLength: 40 }), record({ schema: string() }), (items, data) => {
      const { content } = buildResult({ data, list: { ...LIST, items }, explanation: 'An explanation.' });
      expect(sizeOf(content)).toBeLessThanOrEqual(65_536);
      const { rows } = content['data'] as { readonly rows: readonly string[] };
      expect(rows).toEqual(items.slice(0, rows.length));
      expect(content['isCut']).toBe(rows.length < items.length);
      const next = rows.length < items.length ? { offset: Math.max(rows.length, 1) } : undefined;
      expect(content['next']).toEqual(next);
    }),
    { numRuns: 50 },
  );
});

test('a value that is too long becomes a failure', () => {
  expect(buildResult({ data: { value: 'x'.repeat(70_000) } })).toMatchObject({ isError: true });
});

test('a write that succeeded is reported, whatever the length of its result', () => {
  const { isError, content } = buildResult({
    data: { value: 'x'.repeat(70_000) },
    isCommitted: true,
    explanation: undefined,
  });
  expect([isError, content]).toMatchObject([
    false,
    { data: {}, isCommitted: true, explanation: 'The result is too long to show.' },
  ]);
});

test('a long failure is shortened', () => {
  const { content } = buildFailure({ status: 400, message: 'x'.repeat(100_000), details: 'y'.repeat(100_000) });
  expect(sizeOf(content)).toBeLessThan(10_000);
  expect(content['isCut']).toBe(true);
});
