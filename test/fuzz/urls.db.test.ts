// Random URLs against a running server. `npm run test:fuzz -- --suite reads` sends more of them.
import { expect, test } from 'vitest';
import type { Random } from '../support/generate/random.ts';
import { startReadingServer } from '../support/reading-server.ts';
import { checkRead } from './check-answer.ts';
import { randomRequest } from '../support/generate/random-request.ts';
import { describeRun, sendRequests } from './send-requests.ts';
import { use } from '../support/use.ts';

const given = process.env['ROWHOUSE_FUZZ_COUNT'];
const count = Number(given ?? 3000);
const seed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);
/** On a busy machine, a test run must not fail because a response is slow. */
const timeoutMs = given === undefined ? 10_000 : 1000;

const server = await use(startReadingServer({ 'db-aggregates-enabled': true, 'db-plan-enabled': true }));

test(`${count} random reads from seed ${seed}: no server error, no lost connection`, async () => {
  const start = performance.now();
  const { port, schema } = server;
  const make = (random: Random) => randomRequest(random, schema);
  const run = { port, make, check: checkRead, seed, count, connections: 8, timeoutMs };
  const report = await sendRequests(run);
  if (given !== undefined) console.log(describeRun(run, report, performance.now() - start));
  expect(report.problems.join('\n')).toBe('');
  expect(report.byStatus.get(200) ?? 0).toBeGreaterThan(count / 4);
}, 3_600_000);
