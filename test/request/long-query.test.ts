// The size of a query in a body.
import { enableExtensions } from '../../src/contract/extensions.ts';
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { QUERY_TYPE, queryTooLong, readLongQuery } from '../../src/request/long-query.ts';
import { runSlices } from '../../src/util/slices.ts';

const SETTINGS = {
  dialect: SVC_DIALECT,
  extensions: enableExtensions(['query']),
  maxBodySize: 8,
  isRootEnabled: true,
} as const;

/** @param length the header; undefined: the body arrives in chunks */
function read(text: string, length?: string): unknown {
  const declared = length === undefined ? [] : [['content-length', length] as const];
  const headers = [['content-type', QUERY_TYPE] as const, ...declared];
  const body = new TextEncoder().encode(text);
  const request = { method: 'QUERY', path: '/boats', rawQuery: '', headers, body };
  return runSlices(readLongQuery(request, SETTINGS));
}

test('B22 a query may have as many bytes as the limit, whatever length its request declares', () => {
  const tooLong = { ok: false, error: queryTooLong(8) };
  for (const length of [undefined, '8']) expect(read('id=gt.12', length)).toMatchObject({ ok: true });
  for (const length of [undefined, '9']) expect(read('id=gt.123', length)).toEqual(tooLong);
  expect(read('', '9')).toEqual(tooLong);
});
