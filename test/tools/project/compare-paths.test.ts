import { expect, test } from 'vitest';
import { comparePaths } from '../../../tools/project/folder/compare-paths.ts';

test('P1 files are ordered by bytes, and digits as numbers', () => {
  const order = ['10_x.sql', '2_x.sql', 'B.sql', 'a.sql', 'a/b.sql', 'a1.sql', 'a02.sql', 'a2.sql', 'é.sql', '😀.sql'];
  expect(order.toReversed().sort(comparePaths)).toEqual([
    '2_x.sql',
    '10_x.sql',
    'B.sql',
    'a.sql',
    'a/b.sql',
    'a1.sql',
    'a02.sql',
    'a2.sql',
    'é.sql',
    '😀.sql',
  ]);
});

test('P1b digits beyond the exact integers are compared exactly', () => {
  expect(comparePaths('9007199254740993', '9007199254740992')).toBe(1);
});
