// The chunks of a body keep their order and content, however they are cut, and nothing is copied while more arrives.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { GrowingBytes } from '../../src/http/receive/growing-bytes.ts';

const LENGTHS = fc.array(fc.constantFrom(0, 1, 100, 16_383, 16_384, 65_536, 300_000, 1_048_576, 3_000_000), {
  maxLength: 9,
});
const EXPECTATIONS = fc.constantFrom('unknown', 'exact', 'less', 'more');

function chunksOf(lengths: readonly number[]): readonly Uint8Array[] {
  return lengths.map((length, chunk) => new Uint8Array(length).map((_, index) => chunk * 31 + index * 7));
}

test('chunks of any length are joined', async () => {
  await fc.assert(
    fc.asyncProperty(LENGTHS, EXPECTATIONS, async (lengths, expectation) => {
      const chunks = chunksOf(lengths);
      const whole = Buffer.concat(chunks);
      const expected = { unknown: 0, exact: whole.length, less: Math.floor(whole.length / 2), more: 2 * whole.length };
      const [joined, segmented] = [0, 1].map(() => new GrowingBytes(expected[expectation]));
      for (const chunk of chunks) for (const bytes of [joined, segmented]) bytes?.add(chunk);
      expect(whole.equals((await joined?.join()) ?? new Uint8Array([1]))).toBe(true);
      expect(Buffer.concat(segmented?.takeSegments() ?? []).equals(whole)).toBe(true);
      expect(joined?.size).toBe(whole.length);
    }),
    { numRuns: 60 },
  );
});

test('a chunk is neither copied nor changed if it is the only one', async () => {
  const [chunk = new Uint8Array()] = chunksOf([1000]);
  const bytes = new GrowingBytes(2000);
  bytes.add(chunk);
  expect(await bytes.join()).toBe(chunk);
});

test('no byte is copied twice while a long body arrives, and joining it pauses', async () => {
  const chunk = new Uint8Array(65_536);
  const bytes = new GrowingBytes(0);
  const set = vi.spyOn(Uint8Array.prototype, 'set');
  for (let size = 0; size < 64_000_000; size += chunk.length) bytes.add(chunk);
  const copied = set.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
  expect(copied).toBeLessThanOrEqual(bytes.size);
  set.mockClear();
  const joining = bytes.join();
  expect(joining).toBeInstanceOf(Promise);
  const atOnce = set.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
  expect(atOnce).toBeLessThanOrEqual(5_242_880);
  set.mockRestore();
  expect((await joining).length).toBe(bytes.size);
});
