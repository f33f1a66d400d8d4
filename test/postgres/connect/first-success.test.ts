// Attempts that run one after the other, or in parallel if one takes long.
import { expect, test } from 'vitest';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { findFirstSuccess } from '../../../src/postgres/connect/first-success.ts';

type Outcome = Result<string, string>;

/** Attempts that end on demand. */
class Attempts {
  readonly begun: number[] = [];
  readonly surplus: string[] = [];
  readonly result: Promise<Result<string, readonly string[]>>;
  readonly #ends: ((outcome: Outcome) => void)[] = [];

  constructor(count: number, stagger?: number) {
    const attempts = Array.from({ length: count }, (_, index) => () => {
      this.begun.push(index);
      return new Promise<Outcome>((resolve) => (this.#ends[index] = resolve));
    });
    this.result = findFirstSuccess(attempts, {
      stagger,
      isFinal: (error) => error === 'final',
      onLateSuccess: (value) => this.surplus.push(value),
    });
  }

  end(index: number, outcome: Outcome): void {
    this.#ends[index]!(outcome);
  }
}

test('the next attempt starts when one has failed', async () => {
  const attempts = new Attempts(3);
  attempts.end(0, fail('a'));
  await expect.poll(() => attempts.begun).toEqual([0, 1]);
  attempts.end(1, ok('b'));
  expect(await attempts.result).toEqual(ok('b'));
  expect(attempts.begun).toEqual([0, 1]);
});

test('the errors of all attempts are returned in order', async () => {
  const attempts = new Attempts(2, 1);
  await expect.poll(() => attempts.begun).toEqual([0, 1]);
  attempts.end(1, fail('b'));
  attempts.end(0, fail('a'));
  expect(await attempts.result).toEqual(fail(['a', 'b']));
});

test('no attempt starts after a final error', async () => {
  const attempts = new Attempts(2);
  attempts.end(0, fail('final'));
  expect(await attempts.result).toEqual(fail(['final']));
  expect(attempts.begun).toEqual([0]);
});

test('the next attempt starts in parallel with a slow one, whose late success is reported', async () => {
  const attempts = new Attempts(2, 1);
  await expect.poll(() => attempts.begun).toEqual([0, 1]);
  attempts.end(1, ok('b'));
  expect(await attempts.result).toEqual(ok('b'));
  attempts.end(0, ok('a'));
  await expect.poll(() => attempts.surplus).toEqual(['a']);
});
