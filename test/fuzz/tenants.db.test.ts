// Tenants that share a server, a pool of two sessions and the plan cache: no tenant sees data of another, and every
// response and the final tables equal the model. `npm run test:fuzz` sends more requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { runTenants } from './tenants/run-tenants.ts';

const given = process.env['ROWHOUSE_FUZZ_COUNT'];
const requests = Number(given ?? 2500);
const seed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);
const dialects = (['svc', 'postgrest'] as const).filter(
  (name) => name === (process.env['ROWHOUSE_FUZZ_DIALECT'] ?? name),
);
const LONG = 7_200_000;

describe.each(dialects)('%s', (dialect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.drop());

  test(
    `${requests} requests of tenants from seed ${seed}: responses equal the model and contain nothing of other tenants`,
    async () => {
      const log = (text: string): void => (given === undefined ? undefined : console.log(`${dialect}: ${text}`));
      const report = await runTenants({
        databaseUri: database.uri,
        dialect,
        requests,
        seed,
        onProgress: (soFar) => log(soFar.describe()),
      });
      log(report.describe());
      expect(report.problemCount === 0 ? '' : report.describe()).toBe('');
      expect(report.count).toBe(requests);
      expect(report.validShare).toBeGreaterThan(0.5);
      expect(report.coldCount).toBeGreaterThan(requests / 200);
    },
    LONG,
  );
});
