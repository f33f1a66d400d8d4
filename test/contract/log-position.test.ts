import { expect, test } from 'vitest';
import {
  hasReached,
  laterPosition,
  parseLogPosition,
  parseLsn,
  renderLogPosition,
  renderLsn,
} from '../../src/contract/log-position.ts';

test.each(['0/0', '0/16B3748', '16/B374D848', 'FFFFFFFF/FFFFFFFF'])('%s survives parsing and rendering', (text) => {
  expect(renderLsn(parseLsn(text) ?? -1n)).toBe(text);
});

test('positions are compared as numbers', () => {
  expect(parseLogPosition('7:A/0')).toEqual({ timeline: 7, lsn: 0xa_0000_0000n });
  expect(renderLogPosition({ timeline: 7, lsn: 0xa_0000_0010n })).toBe('7:A/10');
});

test.each([
  '',
  '0/0',
  ':0/0',
  '1:',
  '1:0',
  '1:0/0 ',
  '1:0/123456789',
  '1:G/0',
  '-1:0/0',
  '4294967296:0/0',
  '99999999999:0/0',
  "1:0/0'",
  'unknown',
])('%j is not a position', (text) => {
  expect(parseLogPosition(text)).toBe(undefined);
});

const [EARLY, LATE] = [
  { timeline: 1, lsn: 10n },
  { timeline: 1, lsn: 11n },
];
const PROMOTED = { timeline: 2, lsn: 9n };

test('a position is reached on its timeline or on a later one, never on an earlier one', () => {
  expect([hasReached(LATE, EARLY), hasReached(EARLY, EARLY), hasReached(EARLY, LATE)]).toEqual([true, true, false]);
  expect(hasReached({ timeline: 1, lsn: 99n }, PROMOTED)).toBe(false);
  expect([hasReached({ timeline: 2, lsn: 10n }, EARLY), hasReached(PROMOTED, EARLY)]).toEqual([true, false]);
});

test('the later of two positions includes the other one', () => {
  expect([laterPosition(EARLY, LATE), laterPosition(LATE, EARLY)]).toEqual([LATE, LATE]);
  expect([laterPosition(PROMOTED, LATE), laterPosition(LATE, PROMOTED)]).toEqual([PROMOTED, PROMOTED]);
});
