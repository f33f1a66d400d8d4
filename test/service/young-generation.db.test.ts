// Tests the limit of the young generation in a process of its own, because V8's flags concern all of a process.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { expect, test } from 'vitest';

const MODULE = pathToFileURL(path.resolve('dist/src/service/supervision/young-generation.js')).href;

/** Keeps every object, so that V8 grows the space whenever it may; prints the largest size of a half in MiB. */
const PROGRAM = `
import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { endStartOfYoungGeneration, limitYoungGeneration } from '${MODULE}';
if (process.argv[1] !== 'unlimited') limitYoungGeneration();
if (process.argv[1] === 'started') endStartOfYoungGeneration();
const [kept, sizes] = [[], []];
for (let turn = 0; turn < 2000; turn += 1) {
  for (let count = 0; count < 500; count += 1) kept.push({ turn, count });
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  sizes.push(space.space_used_size + space.space_available_size);
  await setImmediate();
}
console.log(Math.round(Math.max(...sizes) / 2 ** 20));
`;

function measure(mode: 'unlimited' | 'starting' | 'started'): number {
  const words = ['--input-type=module', '--eval', PROGRAM, mode];
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' }));
}

test('the young generation takes at most 8 MiB, and less while the server starts', () => {
  expect(measure('unlimited')).toBeGreaterThan(4);
  expect(measure('starting')).toBeLessThanOrEqual(2);
  expect(measure('started')).toBe(4);
});
