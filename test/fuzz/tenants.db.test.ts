// Tenants that share a server, a pool of two sessions and its plans: nobody gets what is another's, every answer is the one
// that the model has, and so are the tables in the end. `npm run test:fuzz` sends more requests than a test run does.
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
    `${requests} requests of tenants from seed ${seed}: as the model answers them, nothing of each other`,
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
