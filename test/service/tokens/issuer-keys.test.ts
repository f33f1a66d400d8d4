import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { VerificationKey } from '../../../src/auth/keys.ts';
import type { SigningKey } from '../../../src/auth/verify-jwt.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { IssuerKeys } from '../../../src/extensions/issuer/issuer-keys.ts';
import type { LoadedKeys } from '../../../src/extensions/issuer/load-issuer-keys.ts';

type Loaded = Result<LoadedKeys, string>;

let answers: ((loaded: Loaded) => void)[];
let events: string[];
let issuer: IssuerKeys;

const key = (kid: string): VerificationKey => ({ kid, algorithms: ['ES256'], verify: () => true });
const keyOf = (kid: string | undefined): SigningKey => ({ kid, algorithm: 'ES256' });
const loaded = (lifetime: number, ...kids: string[]): Loaded => ok({ keys: kids.map(key), lifetime });

/** Answers the load in progress. */
async function answer(result: Loaded): Promise<void> {
  answers.at(-1)?.(result);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  answers = [];
  events = [];
  issuer = new IssuerKeys({
    load: () => new Promise((resolve) => answers.push(resolve)),
    onLoaded: (count) => events.push(`${count} keys`),
    onFailed: (reason, seconds) => events.push(`${reason}: ${seconds} s`),
  });
});

afterEach(() => {
  issuer.stop();
  vi.useRealTimers();
});

test('B50 keys are loaded at the start, and again when they expire', async () => {
  expect(answers).toHaveLength(1);
  expect(issuer.keys).toBeUndefined();
  await answer(loaded(600, 'a'));
  expect(issuer.keys?.map(({ kid }) => kid)).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(599_999);
  expect(answers).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await answer(loaded(600, 'b'));
  expect(issuer.keys?.map(({ kid }) => kid)).toEqual(['b']);
  expect(events).toEqual(['1 keys', '1 keys']);
});

test('B50 a token waits for the first load, and no longer once it has failed', async () => {
  const waiting = issuer.awaitKey(keyOf('a'));
  expect(waiting).toBeInstanceOf(Promise);
  await answer(fail('no'));
  await waiting;
  expect(issuer.awaitKey(keyOf('a'))).toBeUndefined();
  expect(issuer.retryAfter).toBe(1);
});

test('B50 failed loads are repeated after 1, 2, 4 … 32 seconds, and keys stay meanwhile', async () => {
  await answer(loaded(60, 'a'));
  await vi.advanceTimersByTimeAsync(60_000);
  for (const seconds of [1, 2, 4, 8, 16, 32, 32]) {
    await answer(fail('no'));
    expect(events.at(-1)).toBe(`no: ${seconds} s`);
    await vi.advanceTimersByTimeAsync(seconds * 1000);
  }
  expect(issuer.keys?.map(({ kid }) => kid)).toEqual(['a']);
  await answer(loaded(60, 'b'));
  expect(issuer.keys?.map(({ kid }) => kid)).toEqual(['b']);
});

test('B50 an unknown key loads the set again, at most every 30 seconds', async () => {
  await answer(loaded(86_400, 'a'));
  expect(issuer.awaitKey(keyOf('a'))).toBeUndefined();
  expect(issuer.awaitKey(keyOf(undefined))).toBeUndefined();
  expect(answers).toHaveLength(1);
  const [one, other] = [issuer.awaitKey(keyOf('b')), issuer.awaitKey(keyOf('c'))];
  expect(answers).toHaveLength(2);
  await answer(loaded(86_400, 'a', 'b'));
  await one;
  await other;
  expect(issuer.awaitKey(keyOf('b'))).toBeUndefined();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(issuer.awaitKey(keyOf('c'))).toBeUndefined();
  expect(answers).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(issuer.awaitKey(keyOf('c'))).toBeInstanceOf(Promise);
  expect(answers).toHaveLength(3);
});

test('B50 a key that is known for another algorithm only is sought like an unknown key', async () => {
  await answer(loaded(86_400, 'a'));
  expect(issuer.awaitKey({ kid: 'a', algorithm: 'Ed25519' })).toBeInstanceOf(Promise);
  expect(answers).toHaveLength(2);
});

test('B50 nothing is loaded after the end', async () => {
  issuer.stop();
  await answer(loaded(60, 'a'));
  expect(issuer.keys).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(answers).toHaveLength(1);
});
