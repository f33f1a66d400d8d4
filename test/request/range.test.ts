import { describe, expect, test } from 'vitest';
import { resolveRange } from '../../src/request/range.ts';

const HUGE = '9'.repeat(20);
const LAST = Number.MAX_SAFE_INTEGER;

describe('the Range header', () => {
  test.each([
    ['1-', { offset: 1, limit: undefined }],
    ['1-3', { offset: 1, limit: 3 }],
    ['3-3', { offset: 3, limit: 1 }],
    [`1-${HUGE}`, { offset: 1, limit: LAST }],
    [`${HUGE}-`, { offset: LAST, limit: undefined }],
    [`${HUGE}-${HUGE}`, { offset: LAST, limit: 1 }],
  ])('R117 %s selects rows at any distance', (range, value) => {
    expect(resolveRange(undefined, [['range', range]])).toEqual({ ok: true, value });
  });

  test.each(['', '-', '-5', 'bytes=0-1', 'items=0-1', '0-1,3-4', ' 0-1', '0 - 1', '1.0-2', '٣-٤'])(
    'R120 %j counts as no range',
    (range) => {
      expect(resolveRange(undefined, [['range', range]])).toEqual({ ok: true, value: { offset: 0, limit: undefined } });
    },
  );

  test.each([
    [{ limit: 3, offset: undefined }, '0-1', { offset: 0, limit: 2 }],
    [{ limit: 3, offset: 2 }, '3-10', { offset: 3, limit: 2 }],
    [{ limit: 0, offset: undefined }, '0-1', { offset: 0, limit: 0 }],
    [{ limit: LAST, offset: LAST }, `0-${HUGE}`, { offset: LAST, limit: 1 }],
  ])('R119 intersects the parameters %j with %s', (parameters, range, value) => {
    expect(resolveRange(parameters, [['range', range]])).toEqual({ ok: true, value });
  });

  test('R124 R125 rejects a range that can contain no row', () => {
    const kindOf = (range: string) => resolveRange({ limit: 2, offset: undefined }, [['range', range]]);
    expect(kindOf('5-2')).toEqual({ ok: false, error: { kind: 'rangeBoundaries' } });
    expect(kindOf('2-4')).toEqual({ ok: false, error: { kind: 'negativeLimit' } });
  });
});
