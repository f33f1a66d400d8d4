// Intended differences between the dialects: which parts of the response differ, in which conformance cases, and where
// the specification defines it. `departures.db.test.ts` checks the responses of each dialect.

export interface Departure {
  readonly section: string;
  /**
   * Parts that may differ: `status` (with its reason), `body`, `hint` (of errors with open hints), or a lower-case
   * header name.
   */
  readonly parts: readonly string[];
  /** `all`: the parts may differ in any case; otherwise they must differ in each of these. */
  readonly cases: readonly string[] | 'all';
}

const AS_ANOTHER_ERROR = ['status', 'proxy-status', 'body'];

export const DEPARTURES: readonly Departure[] = [
  {
    section: '`writing.md` §0.2 D1: status of an unavailable media type',
    parts: ['status'],
    cases: 'RX75 W121 W121b W223 W224 W224b W226 W235 W240b W244 W246b W283 WX49 WX80 O158b O221b O221c'.split(' '),
  },
  {
    section: '`writing.md` §0.2 D2: an unsupported type of the request body',
    parts: AS_ANOTHER_ERROR,
    cases: ['W3', 'W3b', 'W4'],
  },
  {
    section: '`writing.md` §0.2 D3: the texts for an unknown schema',
    parts: ['body'],
    cases: ['R229', 'RX71', 'W251', 'W251b', 'WX88', 'O17', 'O225'],
  },
  { section: '`writing.md` §0.2 D4: headers of a raised error', parts: AS_ANOTHER_ERROR, cases: ['W276'] },
  {
    section: '`writing.md` §0.2 D5: params=single-object',
    parts: [...AS_ANOTHER_ERROR, 'content-range', 'preference-applied', 'vary'],
    cases: ['W217', 'W217b'],
  },
  { section: '`operating.md` §1.5: the default of db-channel', parts: ['body'], cases: ['O184'] },
  { section: '`writing.md` §0.2 D6: the sign of an offset in timezone', parts: ['body'], cases: ['W142'] },
  { section: '`writing.md` §0.2 D7: Range-Unit', parts: ['range-unit'], cases: 'all' },
  { section: '`writing.md` §0.2 D15: hints that teach', parts: ['hint'], cases: 'all' },
  {
    section: '`reading.md` §9.1: a limit or offset that is not an integer',
    parts: ['status', 'proxy-status', 'content-range', 'content-location', 'body'],
    cases: ['R116b'],
  },
  { section: '`writing.md` §18.3: what Vary names', parts: ['vary'], cases: 'all' },
  {
    section: '`writing.md` §0.2 D10: planned count of a function',
    parts: ['content-range'],
    cases: ['WX87'],
  },
  {
    section: '`writing.md` §0.2 D13, `reading.md` §20: an offset beyond the total',
    parts: ['proxy-status', 'content-location', 'content-type'],
    cases: ['R126', 'R126b', 'R142', 'RX69', 'W265', 'W281', 'W281b', 'W285', 'WX65'],
  },
  {
    section: '`reading.md` §20: filters on an embed by other operators than null',
    parts: AS_ANOTHER_ERROR,
    cases: ['R191'],
  },
  {
    section: '`writing.md` §0.2 D14: status numbers beyond 599',
    parts: [...AS_ANOTHER_ERROR, 'content-range', 'vary'],
    cases: ['W282'],
  },
];
