// What the search on the left finds, and in which order.
import { expect, test } from 'vitest';
import { rankEntries } from '../../explorer/src/shell/rank-entries.ts';

const ENTRIES = [
  { name: 'audit_log', comment: 'Everything that was done to orders' },
  { name: 'customer_orders', comment: '' },
  { name: 'order_items', comment: '' },
  { name: 'orders', comment: '' },
  { name: 'recorders', comment: '' },
  { name: 'Überweisungen', comment: '' },
];

function find(typed: string): readonly string[] {
  return rankEntries(ENTRIES, typed).map(({ name }) => name);
}

test('the same name, then its beginning, then of a word, then anywhere, then the comment', () => {
  expect(find('orders')).toEqual(['orders', 'customer_orders', 'recorders', 'audit_log', 'order_items']);
  expect(find('order')).toEqual(['order_items', 'orders', 'customer_orders', 'recorders', 'audit_log']);
});

test('capitals, accents and blanks around do not count', () => {
  expect(find(' uberweis ')).toEqual(['Überweisungen']);
});

test('initials and letters with others between them are found', () => {
  expect(find('oi')).toEqual(['order_items']);
  expect(find('cstmr')).toEqual(['customer_orders']);
});

test('without a search all entries stand as they were', () => {
  expect(rankEntries(ENTRIES, '  ')).toBe(ENTRIES);
});

test('what fits nothing finds nothing', () => {
  expect(find('zzz')).toEqual([]);
});
