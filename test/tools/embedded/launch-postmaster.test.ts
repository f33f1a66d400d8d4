import { expect, test } from 'vitest';
import { findReason } from '../../../tools/embedded/cluster/launch-postmaster.ts';

test('P6 the reason why PostgreSQL did not start is shown, and not what follows from it', () => {
  const full = 'PANIC:  could not write to file "pg_wal/temporary.29": No space left on device';
  const lines = ['LOG:  starting', 'LOG:  redo', full, ...Array.from({ length: 9 }, (_, index) => `LOG:  ${index}`)];
  expect(findReason(lines.join('\n')).split('\n')).toEqual([full, 'LOG:  0', 'LOG:  1', 'LOG:  2', 'LOG:  3']);
  expect(findReason('a\nb\nc\nd\ne\nf')).toBe('b\nc\nd\ne\nf');
});
