// Runs the conformance cases over real sockets against a real PostgreSQL, with one database per suite and
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
    let template: TestDatabase;
    beforeAll(async () => {
      template = await createDatabase();
      await loadFixture(template.uri, fileOf(suite.fixture));
    });
    afterAll(() => template.drop());
    for (const [config, cases] of groups) describeGroup(config, cases, () => template.name);
  });
}

function describeGroup(config: string, cases: readonly ConformanceCase[], template: () => string): void {
  describe(config, () => {
    let database: TestDatabase;
    let server: ServerProcess;
    beforeAll(async () => {
      database = await createDatabase({ template: template() });
      const options = JSON.parse(config) as Record<string, string>;
      server = await startServerProcess({ ...BASE, 'db-uri': loginUri(database.uri), ...options });
    });
    afterAll(async () => {
      await server?.stop();
      await database?.drop();
    });
    for (const conformance of cases) {
      test(`${conformance.id} ${conformance.name}`, () => runCase(conformance, server.port, database.uri));
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
