// Random writes and calls against a running server, all rolled back. `npm run test:fuzz -- --suite writes` sends more
// of them.
import { expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import { renderIdempotencySetup } from '../../src/extensions/idempotency/idempotency-setup.ts';
import { loadRows } from '../support/load-cache.ts';
import { serveWriting } from '../conformance/serve.ts';
import type { Random } from '../support/generate/random.ts';
import { checkWrite } from './check-write.ts';
import { WriteMaker } from '../support/generate/random-write.ts';
import { readTables } from './read-tables.ts';
import { describeRun, sendRequests } from './send-requests.ts';
import { use } from '../support/use.ts';

const given = process.env['ROWHOUSE_FUZZ_COUNT'];
const count = Number(given ?? 2000);
const seed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);

/** Batches lock rows in any order. */
const SHORT_DEADLOCKS = `do $$ begin
  execute format('alter database %I set deadlock_timeout = 20', current_database());
end $$`;

const service = await use(
  serveWriting(
    {
      'db-tx-end': 'rollback',
      'db-plan-enabled': true,
      'db-aggregates-enabled': true,
      'db-idempotency-schema': 'idempotency',
      'idempotency-anonymous': true,
    },
    [...renderIdempotencySetup('idempotency'), SHORT_DEADLOCKS].join('\n'),
  ),
);

test(`${count} random writes from seed ${seed}: no server error, and no change persists`, async () => {
  const before = await readTables(service);
  const maker = new WriteMaker(
    buildSchemaCache(await loadRows(service.uri, { schemas: ['api'], extraSearchPath: ['public'] })),
  );
  const make = (random: Random) => maker.make(random);
  const run = { port: service.server.port, make, check: checkWrite, seed, count, connections: 4, timeoutMs: 10_000 };
  const start = performance.now();
  const report = await sendRequests(run);
  if (given !== undefined) console.log(describeRun(run, report, performance.now() - start));
  // The log of the server, in case it has crashed.
  const log = report.problemCount === 0 ? '' : service.server.output().stderr;
  expect(report.problems.join('\n') + log).toBe('');
  const succeeded = [200, 201, 204].map((status) => report.byStatus.get(status) ?? 0);
  expect(Math.min(...succeeded)).toBeGreaterThan(count / 100);
  expect(await readTables(service)).toEqual(before);
}, 3_600_000);
