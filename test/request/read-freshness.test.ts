import { expect, test } from 'vitest';
import type { HeaderList } from '../../src/contract/http.ts';
import { type PositionCarrier, readFreshness } from '../../src/extensions/replicas/read-freshness.ts';

const HEADER: PositionCarrier = { name: 'svc-lsn', kind: 'header' };
const COOKIE: PositionCarrier = { name: 'svc-lsn', kind: 'cookie' };

const CASES: readonly (readonly [string, HeaderList, unknown])[] = [
  ['no position', [['accept', '*/*']], 'any'],
  ['a position', [['svc-lsn', ' 1:0/A ']], { timeline: 1, lsn: 10n }],
  [
    'the latest of several positions',
    [
      ['svc-lsn', '1:0/A'],
      ['svc-lsn', '1:0/B'],
      ['svc-lsn', '1:0/9'],
    ],
    { timeline: 1, lsn: 11n },
  ],
  ['an invalid position', [['svc-lsn', 'later']], undefined],
  [
    'an invalid position next to a valid one',
    [
      ['svc-lsn', '1:0/A'],
      ['svc-lsn', ''],
    ],
    undefined,
  ],
];

test.each(CASES)('%s', (_, headers, freshness) => {
  expect(readFreshness(headers, HEADER)).toEqual(freshness);
});

test('a cookie counts in addition to the header if cookies carry positions', () => {
  const headers: HeaderList = [
    ['cookie', 'theme=dark; svc-lsn=1:0/C'],
    ['svc-lsn', '1:0/A'],
  ];
  expect(readFreshness(headers, HEADER)).toEqual({ timeline: 1, lsn: 10n });
  expect(readFreshness(headers, COOKIE)).toEqual({ timeline: 1, lsn: 12n });
  expect(readFreshness(headers, { ...HEADER, kind: 'off' })).toBe('any');
});
