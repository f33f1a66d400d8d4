// Compares what a request costs with the recorded counts. `npm run bench -- counts --write` records a change that is
// wanted; nothing else changes them, because they do not depend on time.
import { expect, inject, test } from 'vitest';
import { COUNTED_CASES, countRequests } from './counts/count-requests.ts';
import { type Change, findChanges, readRecorded, v8Version } from './counts/recorded.ts';

const { counts: recorded, v8 } = readRecorded();

function render({ name, kind, recorded, counted }: Change): string {
  return `${name}: ${counted} ${kind} instead of ${recorded}`;
}

/** Counts are the same under any load, which only makes counting slow. */
const TIMEOUT_MS = 600_000;

// Other versions of V8 allocate differently.
test.skipIf(v8 !== v8Version())('a request costs no more than recorded', { timeout: TIMEOUT_MS }, async () => {
  const counted = await countRequests(inject('databaseUri'));
  const changes = COUNTED_CASES.flatMap(({ name, tolerance }) =>
    findChanges(name, { recorded: recorded[name], counted: counted[name], tolerance }),
  );
  const better = changes.filter((change) => change.counted < change.recorded).map(render);
  const worse = changes.filter((change) => change.counted > change.recorded).map(render);
  if (better.length > 0)
    console.info(['Better than recorded; run `npm run bench -- counts --write`:', ...better].join('\n'));
  expect(worse).toEqual([]);
});
