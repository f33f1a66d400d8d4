// The count of bytes that clients have not taken.
import { expect, test } from 'vitest';
import { UnsentBytes } from '../../src/server/unsent-bytes.ts';

test('is exceeded by more bytes than it allows, of all connections together, and no longer', () => {
  const unsent = new UnsentBytes(100);
  unsent.add(60);
  unsent.add(40);
  expect(unsent.isExceeded).toBe(false);
  unsent.add(1);
  expect(unsent.isExceeded).toBe(true);
  unsent.remove(60);
  expect(unsent.isExceeded).toBe(false);
});

test('allows 256 MB', () => {
  const unsent = new UnsentBytes();
  unsent.add(256 * 1024 * 1024);
  expect(unsent.isExceeded).toBe(false);
  unsent.add(1);
  expect(unsent.isExceeded).toBe(true);
});
