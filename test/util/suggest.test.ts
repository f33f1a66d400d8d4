import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggest } from '../../src/util/suggest.ts';

function gramsOf(text: string, length: number): ReadonlyMap<string, number> {
  const marked = `-${text.replaceAll(/[^\p{L}\p{Nd}\s,]/gu, '')}-`;
  const counts = new Map<string, number>();
  for (let start = 0; start + length <= marked.length; start++) {
    const gram = marked.slice(start, start + length);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function magnitude(grams: ReadonlyMap<string, number>): number {
  return Math.sqrt([...grams.values()].reduce((sum, count) => sum + count * count, 0));
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const product = [...a].reduce((sum, [gram, count]) => sum + count * (b.get(gram) ?? 0), 0);
  return product === 0 ? 0 : product / (magnitude(a) * magnitude(b));
}

function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const substituted = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i]!.push(Math.min(substituted, rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1));
    }
  }
  return rows[a.length]![b.length]!;
}

/** Implements the search of `writing.md` §14.10 step by step. */
function plainSuggest(entries: readonly string[], query: string, minimum: number): string | undefined {
  const spellings = new Map<string, string>();
  for (const entry of entries) {
    if (!spellings.has(entry.toLowerCase())) spellings.set(entry.toLowerCase(), entry);
  }
  const key = query.toLowerCase();
  if (spellings.has(key)) return spellings.get(key);
  for (const length of [3, 2]) {
    const best = [...spellings.keys()]
      .map((name) => ({ name, score: cosine(gramsOf(key, length), gramsOf(name, length)) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 50)
      .map(({ name }) => ({ name, score: 1 - distance(key, name) / Math.max(key.length, name.length) }))
      .sort((a, b) => b.score - a.score)
      .find(({ score }) => score >= minimum);
    if (best !== undefined) return spellings.get(best.name);
  }
  return undefined;
}

/** Names as in a large schema, many of them similar. */
function schemaNames(count: number): readonly string[] {
  const parts = ['order', 'customer', 'invoice', 'part', 'depot', 'audit', 'archive', 'line', 'item', 'price', 'tax'];
  return Array.from({ length: count }, (_, index) => {
    const words = [index, index * 7 + 3, index * 13 + 5].map((seed) => parts[seed % parts.length]);
    return `${words.join('_')}_${index}`;
  });
}

describe('suggest', () => {
  it.each([
    ['restok', 'restock'],
    ['reshuffle', undefined],
  ])('W184 W186 suggests the expected function for %s', (query, expected) => {
    expect(suggest(['restock'], query, { minimum: 0.75 })).toBe(expected);
  });

  it.each([
    ['(ammount, part_id)', '(amount, part_id)'],
    ['(part_id)', '(amount, part_id)'],
    ['(zzz)', undefined],
  ])('W185 W186 suggests the expected parameters for %s', (query, expected) => {
    expect(suggest(['(amount, part_id)'], query, { minimum: 0.33 })).toBe(expected);
  });

  it('W186 suggests nothing for an empty parameter list', () => {
    expect(suggest(['(ratio)'], '()', { minimum: 0.33 })).toBeUndefined();
  });

  it.each([
    ['partz', 'parts'],
    ['prts', 'parts'],
    ['pxxts', undefined],
  ])('suggests the expected table for %s', (query, expected) => {
    expect(suggest(['parts'], query, { minimum: 0.75 })).toBe(expected);
  });

  it('ignores case and returns the first spelling', () => {
    expect(suggest(['Boats', 'boats', 'Crews'], 'BOATS', { minimum: 0.75 })).toBe('Boats');
    expect(suggest(['Boats', 'boats', 'Crews'], 'boots', { minimum: 0.75 })).toBe('Boats');
  });

  it('accepts a similarity equal to the minimum and rejects a smaller one', () => {
    expect(suggest(['abcd'], 'abcx', { minimum: 0.75 })).toBe('abcd');
    expect(suggest(['abcd'], 'abcx', { minimum: 0.7500001 })).toBeUndefined();
  });

  it('falls back to bigrams when no trigram matches', () => {
    expect(suggest(['abxcdxef'], 'abycdyef', { minimum: 0.75 })).toBe('abxcdxef');
  });

  it('returns nothing for an empty list or an empty query', () => {
    expect(suggest([], 'parts', { minimum: 0 })).toBeUndefined();
    expect(suggest(['parts'], '', { minimum: 0 })).toBeUndefined();
  });

  it('accepts the keys of a map', () => {
    expect(
      suggest(
        new Map([
          ['parts', 1],
          ['tags', 2],
        ]),
        'prts',
        { minimum: 0.75 },
      ),
    ).toBe('parts');
  });

  it('agrees with the plain search', () => {
    const unit = fc.constantFrom('a', 'b', 'c', 'A', '_', ',', ' ', '7', 'é');
    const name = fc.string({ unit, maxLength: 8 });
    const minimum = fc.constantFrom(0, 0.33, 0.5, 0.75);
    fc.assert(
      fc.property(fc.array(name, { maxLength: 80 }), name, minimum, (names, query, least) => {
        expect(suggest(names, query, { minimum: least })).toBe(plainSuggest(names, query, least));
      }),
      { numRuns: 400 },
    );
  });

  it('ignores hidden names entirely', () => {
    const unit = fc.constantFrom('a', 'b', 'c', 'A', 'B', '_');
    const name = fc.string({ unit, minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 120 }),
        fc.array(name, { maxLength: 60 }),
        name,
        (names, shown, query) => {
          const visible = new Set(shown);
          const all = [...names, ...shown];
          const isVisible = (other: string): boolean => visible.has(other);
          const expected = plainSuggest(all.filter(isVisible), query, 0.33);
          expect(suggest(all, query, { minimum: 0.33, isVisible })).toBe(expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('does not rank names by a hidden spelling', () => {
    const isVisible = (name: string): boolean => name !== 'BA';
    expect(suggest(['BA', 'ac', 'Ba'], 'a', { minimum: 0.33, isVisible })).toBe('ac');
  });

  it('agrees with the plain search when more than 50 names share grams', () => {
    const names = schemaNames(400);
    for (const query of ['order_prat_line_37', 'tax_tax', 'audit_archive_item_399x', 'customers', 'depot_9']) {
      expect(suggest(names, query, { minimum: 0.33 })).toBe(plainSuggest(names, query, 0.33));
    }
  });
});
