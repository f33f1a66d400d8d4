// Matches of the sidebar search and their order.
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

test('an exact name ranks first, then a prefix, a word prefix, a part, and the comment', () => {
  expect(find('orders')).toEqual(['orders', 'customer_orders', 'recorders', 'audit_log', 'order_items']);
  expect(find('order')).toEqual(['order_items', 'orders', 'customer_orders', 'recorders', 'audit_log']);
});

test('case, accents and surrounding spaces are ignored', () => {
  expect(find(' uberweis ')).toEqual(['Überweisungen']);
});

test('initials and subsequences match', () => {
  expect(find('oi')).toEqual(['order_items']);
  expect(find('cstmr')).toEqual(['customer_orders']);
});

test('without a search text, all entries keep their order', () => {
  expect(rankEntries(ENTRIES, '  ')).toBe(ENTRIES);
});

test('an unmatched text finds nothing', () => {
  expect(find('zzz')).toEqual([]);
});
