// Which transactions a snapshot shows.
import { expect, test } from 'vitest';
import { parseSnapshot, shows } from '../../src/extensions/live/events/visibility.ts';

test.each([
  ['100:110:', 99, true],
  ['100:110:', 109, true],
  ['100:110:', 110, false],
  ['100:110:103,105', 103, false],
  ['100:110:103,105', 104, true],
  // The epoch of the snapshot is 1: 4294967396 is 2^32 + 100.
  ['4294967300:4294967396:4294967350', 99, true],
  ['4294967300:4294967396:4294967350', 100, false],
  ['4294967300:4294967396:4294967350', 54, false],
  // Transactions of the epoch before.
  ['4294967300:4294967396:', 4_294_967_290, true],
  ['4294967290:4294967396:4294967290', 4_294_967_290, false],
])('B72 the snapshot %s shows transaction %i: %s', (snapshot, xid, expected) => {
  expect(shows(parseSnapshot(snapshot), xid)).toBe(expected);
});
