// Runs the conformance cases over real sockets against a real PostgreSQL, with one database per suite and one server per
// configuration.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, loadFixture, runSql, type TestDatabase } from '../support/database.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import type { ConformanceCase, ConformanceSuite } from './conformance-case.ts';
import { BASE, fileOf, groupByConfig } from './conformance-groups.ts';
import { findProblems } from './match-response.ts';
import { sendStep, type RawResponse } from './send-step.ts';
import { loginUri } from './serve.ts';

for (const name of ['reading', 'writing', 'operations']) {
  const suite = JSON.parse(readFileSync(fileOf(`${name}.json`), 'utf8')) as ConformanceSuite;
  const groups = groupByConfig(suite.cases);
  describe(name, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createDatabase();
      await loadFixture(database.uri, fileOf(suite.fixture));
    });
    afterAll(() => database.drop());
    for (const [config, cases] of groups) describeGroup(config, cases, () => database.uri);
  });
}

function describeGroup(config: string, cases: readonly ConformanceCase[], uri: () => string): void {
  describe(config, () => {
    let server: ServerProcess;
    beforeAll(async () => {
      const options = JSON.parse(config) as Record<string, string>;
      server = await startServerProcess({ ...BASE, 'db-uri': loginUri(uri()), ...options });
    });
    afterAll(() => server?.stop());
    for (const conformance of cases) {
      test(`${conformance.id} ${conformance.name}`, () => runCase(conformance, server.port, uri()));
    }
  });
}

async function runCase(conformance: ConformanceCase, port: number, uri: string): Promise<void> {
  if (conformance.sql !== undefined) await runSql(uri, conformance.sql);
  const responses: RawResponse[] = [];
  try {
    for (const step of conformance.steps) {
      const response = await sendStep(port, step, responses);
      responses.push(response);
      expect(findProblems(step.expect ?? {}, response), `${step.method ?? 'GET'} ${step.path ?? ''}`).toEqual([]);
    }
  } finally {
    if (conformance.mutates) await runSql(uri, 'select fixture.reset()');
  }
}
