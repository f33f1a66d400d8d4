// Names, JSON paths and types of the grammar, tested through filters and select lists (`reading.md` §3.1).
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnItem, JsonStep } from '../../../src/request/query/query-params.ts';
import { parse, parseErrorText, parseFilter } from './support.ts';

function parseColumn(text: string): ColumnItem {
  const [item] = parse(`select=${encodeURIComponent(text)}`).select;
  if (item?.kind !== 'column') throw new Error(text);
  return item;
}

function key(arrow: JsonStep['arrow'], name: string): JsonStep {
  return { arrow, operand: { kind: 'key', name } };
}

function index(arrow: JsonStep['arrow'], digits: string): JsonStep {
  return { arrow, operand: { kind: 'index', digits } };
}

describe('names', () => {
  test.each([
    ['R18 inner spaces need no quotes', 'just%20a%20name', 'just a name'],
    ['R18 outer spaces are dropped', '%20a%20b%20', 'a b'],
    ['R19 dashes need no quotes', 'a-dash', 'a-dash'],
    ['R19 blanks around a dash are dropped', 'a%20-%20b', 'a-b'],
    ['R20 $ needs no quotes', 'do$lar', 'do$lar'],
    ['R21 letters of any script need no quotes', 'größe', 'größe'],
    ['R21 letters outside the basic plane need no quotes', '𝒳y', '𝒳y'],
    ['R22 quoted names keep outer spaces', '"%20a%20"', ' a '],
    ['R22 quoted names may contain reserved characters', '"a.b,c:(d)"', 'a.b,c:(d)'],
    ['R23 a backslash escapes the next character', '"a\\"b\\\\c\\d"', 'a"b\\cd'],
    ['R23 a backslash escapes a character outside the basic plane', '"\\🚢"', '🚢'],
    ['quoted names may be empty', '""', ''],
  ])('%s', (_name, written, name) => {
    expect(parseFilter(`${written}=eq.1`).field).toEqual({ column: name, path: [] });
  });
});

describe('JSON paths', () => {
  test.each([
    ['R24 digits and other characters are a key', 'meta->0a', [key('->', '0a')]],
    ['R24 digits and a dash are a key', 'meta->1-2', [key('->', '1-2')]],
    ['R24 digits alone are an index', 'meta->0', [index('->', '0')]],
    ['R24 quoted digits are a key', 'meta->"0"', [key('->', '0')]],
    ['R25 an index may be negative', 'meta->log->-1->>v', [key('->', 'log'), index('->', '-1'), key('->>', 'v')]],
    ['R26 keys may be quoted', 'meta->>"a.b"', [key('->>', 'a.b')]],
    ['R26 bare keys keep inner characters', `meta->a b-c'd"`, [key('->', `a b-c'd"`)]],
    ['R26 outer blanks of bare keys are dropped', 'meta-> a ->b', [key('->', 'a'), key('->', 'b')]],
  ])('%s', (_name, written, path) => {
    expect(parseColumn(written).field).toEqual({ column: 'meta', path });
    expect(parseFilter(`${encodeURIComponent(written)}=eq.1`).field).toEqual({ column: 'meta', path });
  });

  test('an index may be followed by a cast, an aggregate, a comma or a parenthesis', () => {
    expect(parse('select=a->0::int,b->-1.sum(),c(d->2)&order=h(e->3)')).toMatchObject({
      select: [
        { field: { column: 'a', path: [index('->', '0')] }, cast: 'int' },
        { field: { column: 'b', path: [index('->', '-1')] }, aggregate: { function: 'sum' } },
        { select: [{ field: { column: 'd', path: [index('->', '2')] } }] },
      ],
      orders: [{ value: [{ relation: 'h', field: { column: 'e', path: [index('->', '3')] } }] }],
    });
  });
});

describe('types', () => {
  test.each([
    ['R28 inner spaces', 'double precision'],
    ['R28 underscores', '_int4'],
    ['R28 several words', 'timestamp with time zone'],
  ])('%s are part of a type', (_name, type) => {
    expect(parseColumn(`draft::${type}`).cast).toBe(type);
    expect(parseColumn(`draft:: ${type} `).cast).toBe(type);
  });

  test('R27 modifiers and brackets are not part of a type', () => {
    expect(parseErrorText('select=draft::numeric(8,2)')[0]).toContain('column 15');
    expect(parseErrorText('select=flags::int4[]')[0]).toContain('column 12');
  });
});

/** The rules of bare names, one piece after another. */
function readDashed(text: string): string | undefined {
  const [name = ''] = text.split(/->|[.,()]/u, 1);
  const pieces = name.split('-').map((piece) => piece.trim());
  return pieces.includes('') ? undefined : pieces.join('-');
}

test('R19b names of any number of pieces keep their dashes and lose the blanks beside them', () => {
  const piece = fc.constantFrom('a', 'bc', ' d', 'e ', ' f g ', 'é', '𝒳', ' ', '');
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('', '->k', '->>k'),
      (pieces, rest) => {
        const text = pieces.join('-');
        const expected = readDashed(text);
        const query = `${encodeURIComponent(text + rest)}=eq.1`;
        if (expected === undefined) expect(parseErrorText(query)[1]).toContain('unexpected');
        else expect(parseFilter(query).field).toMatchObject({ column: expected });
      },
    ),
  );
});

test('R23c quoted text may end with escapes, and fails where it cannot continue', () => {
  const long = String.raw`\\\"`.repeat(20_000);
  expect(parseFilter(`name=in.("${long}","a")`).operation).toEqual({
    kind: 'in',
    values: [String.raw`\"`.repeat(20_000), 'a'],
  });
  expect(parseErrorText(`select="${String.raw`\\`.repeat(3)}`)[1]).toContain('unexpected end of input');
  expect(parseErrorText(String.raw`select="a\"`)[1]).toContain('unexpected end of input');
  expect(parseErrorText('select="a%00b"')[1]).toContain(String.raw`unexpected "\u0000"`);
  expect(parseErrorText(String.raw`select="a\%00b"`)[1]).toContain(String.raw`unexpected "\u0000"`);
});
