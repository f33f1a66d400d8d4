// The number that the form of a new row proposes for its key.
import { expect, test } from 'vitest';
import type { DescribedColumn } from '../../src/contract/schema-document.ts';
import { findNumberedKey, highestKeyRequest, readProposal } from '../../explorer/src/forms/proposed-key.ts';
import { columnOf, relationOf, schemaOf } from './builder/support.ts';

const keyOf = (type: string, more: Partial<DescribedColumn> = {}): DescribedColumn =>
  columnOf('id', 'number', { type: { name: type, category: 'number', isArray: false }, isNullable: false, ...more });

function propose(type: string, text: string, status = 200): string | undefined {
  const request = highestKeyRequest(relationOf('parts', []), keyOf(type));
  const content = new Blob([text]);
  const response = { status, headers: [], text, content, bytes: text.length, milliseconds: 1 };
  return readProposal(keyOf(type), { kind: 'answered', request, response });
}

test('is one more than the highest value, with all digits, and at least 1', () => {
  expect(propose('integer', '[{"id":41}]')).toBe('42');
  expect(propose('bigint', '[{"id":9007199254740993}]')).toBe('9007199254740994');
  expect(propose('integer', '[{"id":-7}]')).toBe('1');
  expect(propose('integer', '[]')).toBe('1');
});

test('is missing after the last value of the type, and if the values cannot be read', () => {
  expect(propose('smallint', '[{"id":32767}]')).toBeUndefined();
  expect(propose('integer', '[{"id":2147483647}]')).toBeUndefined();
  expect(propose('bigint', '[{"id":9223372036854775807}]')).toBeUndefined();
  expect(propose('integer', '{"message":"no"}', 403)).toBeUndefined();
});

test('is offered for a single integer that an insert must contain, and that the role can read and write', () => {
  const find = (column: DescribedColumn): string | undefined => {
    const relation = relationOf('parts', [column]);
    return findNumberedKey(schemaOf(relation), relation)?.name;
  };
  expect(find(keyOf('integer'))).toBe('id');
  expect(find(keyOf('numeric'))).toBeUndefined();
  expect(find(keyOf('integer', { default: '1' }))).toBeUndefined();
  expect(find(keyOf('integer', { isGenerated: true }))).toBeUndefined();
  expect(find(keyOf('integer', { may: { select: false, insert: true, update: true } }))).toBeUndefined();
  expect(find(keyOf('integer', { may: { select: true, insert: false, update: true } }))).toBeUndefined();
  const pair = { ...relationOf('parts', [keyOf('integer')]), key: ['id', 'line'] };
  expect(findNumberedKey(schemaOf(pair), pair)).toBeUndefined();
});
