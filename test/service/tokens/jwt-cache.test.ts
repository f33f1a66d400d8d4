import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { JwtCache, type JwtCacheEvent } from '../../../src/service/tokens/jwt-cache.ts';

const NOW = 1_800_000_000;

let events: JwtCacheEvent[];
let cache: JwtCache;

beforeEach(() => {
  events = [];
  cache = new JwtCache((event) => events.push(event));
});

interface Use {
  readonly now?: number;
  readonly maxEntries?: number;
  readonly maxLifetime?: number;
  readonly exp?: unknown;
}

/** Looks the token up and adds it after a miss, as a request does. Returns whether it was a hit. */
function use(token: string, { now = NOW, maxEntries = 2, maxLifetime, exp }: Use = {}): boolean {
  const found = cache.get(token, now);
  if (found !== undefined) return true;
  const claims = exp === undefined ? {} : { exp };
  cache.add(token, { claims, text: JSON.stringify(claims) }, { now, limits: { maxEntries, maxLifetime } });
  return false;
}

/** Uses single-letter tokens in turn; hits are written in upper case. */
function useAll(tokens: string, settings?: Use): string {
  return Array.from(tokens, (token) => (use(token, settings) ? token.toUpperCase() : token)).join('');
}

it('returns what was added, and counts', () => {
  const verified = { claims: { role: 'clerk' }, text: '{"role":"clerk"}' };
  expect(cache.get('a', NOW)).toBeUndefined();
  cache.add('a', verified, { now: NOW, limits: { maxEntries: 1, maxLifetime: undefined } });
  expect(cache.get('a', NOW)).toBe(verified);
  expect(cache.counters).toEqual({ requests: 2, hits: 1, evictions: 0 });
  expect(events).toEqual(['lookup', 'lookup']);
});

describe('SIEVE', () => {
  it('O107 evicts the entry that was not visited', () => {
    expect(useAll('abac')).toBe('abAc');
    expect(cache.counters).toEqual({ requests: 4, hits: 1, evictions: 1 });
    expect(useAll('ac')).toBe('AC');
    expect(cache.counters).toEqual({ requests: 6, hits: 3, evictions: 1 });
    expect(useAll('b')).toBe('b');
    expect(cache.counters).toEqual({ requests: 7, hits: 3, evictions: 2 });
    expect(events.filter((event) => event === 'eviction')).toHaveLength(2);
  });

  it('O108 evicts the oldest entry after one full turn if all were visited', () => {
    expect(useAll('ababc')).toBe('abABc');
    expect(cache.counters).toEqual({ requests: 5, hits: 2, evictions: 1 });
    expect(useAll('bc')).toBe('BC');
    expect(cache.counters).toEqual({ requests: 7, hits: 4, evictions: 1 });
  });

  it('evicts in insertion order if nothing is visited twice', () => {
    expect(useAll('abcdefdef', { maxEntries: 3 })).toBe('abcdefDEF');
  });

  it('goes back to the oldest after evicting the newest', () => {
    // The hand passes a and b and evicts c, then returns to the oldest, a.
    expect(useAll('abcabd', { maxEntries: 3 })).toBe('abcABd');
    expect(useAll('e', { maxEntries: 3 })).toBe('e');
    expect(useAll('bde', { maxEntries: 3 })).toBe('BDE');
  });

  it('works with one entry', () => {
    expect(useAll('aabbab', { maxEntries: 1 })).toBe('aAbBab');
    expect(cache.counters.evictions).toBe(3);
  });

  it('shrinks when the next entry is added', () => {
    expect(useAll('abcde', { maxEntries: 5 })).toBe('abcde');
    expect(useAll('abc', { maxEntries: 2 })).toBe('ABC');
    expect(useAll('f', { maxEntries: 2 })).toBe('f');
    expect(cache.counters.evictions).toBe(4);
    expect(useAll('cf', { maxEntries: 2 })).toBe('CF');
  });

  it('behaves like a plain list with a hand', () => {
    const step = fc.record({
      token: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      maxEntries: fc.integer({ min: 1, max: 5 }),
      age: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        cache = new JwtCache(() => undefined);
        const model = new SieveModel();
        for (const { token, maxEntries, age } of steps) {
          const now = age ? NOW + 100 : NOW;
          expect(use(token, { now, maxEntries, exp: 'bdf'.includes(token) ? NOW : undefined })).toBe(
            model.use(token, maxEntries, age && 'bdf'.includes(token)),
          );
          expect(cache.counters.evictions).toBe(model.evictions);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** The policy as specified in `operating.md` §3.7, on an array, oldest first. */
class SieveModel {
  evictions = 0;
  #entries: { token: string; visited: boolean }[] = [];
  #hand = 0;

  use(token: string, size: number, isOverAge: boolean): boolean {
    const index = this.#entries.findIndex((entry) => entry.token === token);
    if (index !== -1 && !isOverAge) {
      this.#entries[index]!.visited = true;
      return true;
    }
    if (index !== -1) this.#remove(index);
    while (this.#entries.length >= size) {
      const entry = this.#entries[this.#hand]!;
      if (entry.visited) {
        entry.visited = false;
        this.#hand = (this.#hand + 1) % this.#entries.length;
      } else {
        this.#remove(this.#hand);
        this.evictions += 1;
      }
    }
    this.#entries.push({ token, visited: false });
    return false;
  }

  #remove(index: number): void {
    this.#entries.splice(index, 1);
    if (index < this.#hand) this.#hand -= 1;
    if (this.#hand >= this.#entries.length) this.#hand = 0;
  }
}

describe('lifetimes', () => {
  it('O106 an entry with exp expires 30 s after it, whatever the configured lifetime', () => {
    const token = { exp: NOW + 10.9, maxLifetime: 5 };
    expect(use('a', token)).toBe(false);
    expect(use('a', { ...token, now: NOW + 39 })).toBe(true);
    expect(use('a', { ...token, now: NOW + 40 })).toBe(false);
    expect(cache.counters).toEqual({ requests: 3, hits: 1, evictions: 0 });
  });

  it('an entry without exp expires after the configured lifetime', () => {
    for (const [token, exp] of [
      ['a', undefined],
      ['b', null],
      ['c', '5'],
    ] as const) {
      const settings = { exp, maxLifetime: 5, maxEntries: 9 };
      expect(use(token, settings)).toBe(false);
      expect(use(token, { ...settings, now: NOW + 4.9 })).toBe(true);
      expect(use(token, { ...settings, now: NOW + 5 })).toBe(false);
    }
    expect(use('d')).toBe(false);
    expect(use('d', { now: NOW + 1e9 })).toBe(true);
  });

  it('O105 an expired token is cached, and counts as expired immediately', () => {
    expect(use('a', { exp: NOW - 31, maxEntries: 1 })).toBe(false);
    expect(use('a', { exp: NOW - 31, maxEntries: 1 })).toBe(false);
    expect(cache.counters).toEqual({ requests: 2, hits: 0, evictions: 0 });
  });

  it('an expired entry under the hand moves the hand to the next one', () => {
    const all = { maxEntries: 3 };
    useAll('ab', all);
    use('c', { ...all, exp: NOW });
    useAll('ab', all);
    // Evicts c at the hand; d takes its place, and the hand is at a.
    expect(useAll('d', all)).toBe('d');
    expect(use('e', { ...all, exp: NOW })).toBe(false);
    expect(useAll('bde', all)).toBe('BDE');
    expect(use('e', { ...all, now: NOW + 30 })).toBe(false);
    expect(useAll('bde', all)).toBe('BDE');
  });
});

it('O109 starts again after clear, while counters continue', () => {
  useAll('abac');
  cache.clear();
  expect(useAll('abac')).toBe('abAc');
  expect(cache.counters).toEqual({ requests: 8, hits: 2, evictions: 2 });
});
