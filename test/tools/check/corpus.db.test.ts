// Schemas that are safe, each another common pattern: whatever is found in them, nothing is proved, so nothing is an error.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { proveFindings } from '../../../tools/check/probes/prove-findings.ts';
import { runLints } from '../../../tools/check/run-lints.ts';
import { adminUri, createDatabase, runSql } from '../../support/database.ts';

const CORPUS = path.join(import.meta.dirname, 'corpus');
const files = readdirSync(CORPUS);

const database = await createDatabase();
const roles: readonly string[] = ['web_anon', 'web_user', 'web_admin'].map((role) => `${database.name}_${role}`);
const owner: string = `${database.name}_owner`;
const created = [...roles, owner].map((role) => `create role ${role}`).join('; ');
await runSql(database.uri, `${created}; grant create on database ${database.name} to ${owner}`);
const client = new Client({ connectionString: database.uri });
await client.connect();

afterAll(async () => {
  await client.end();
  await database.drop();
  await runSql(adminUri(), `drop role ${[...roles, owner].join(', ')}`);
});

test('P46 there are at least 60 schemas', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
});

test.each(files)('P46 %s', async (file) => {
  const text = readFileSync(path.join(CORPUS, file), 'utf8').replaceAll(/\bweb_\w+/gu, `${database.name}_$&`);
  await client.query(`create schema safe authorization ${owner}; grant usage on schema safe to ${roles.join(', ')};
    set search_path to safe; set role ${owner}; ${text}; reset role; reset search_path`);
  try {
    const found = await runLints(client, { schemas: ['safe'], roles });
    const proved = await proveFindings(client, found, { hasWrites: true });
    const errors = proved.filter(({ level }) => level === 'error');
    expect(errors.map(({ lint, object, role, message }) => ({ lint, object, role, message }))).toEqual([]);
  } finally {
    await client.query('drop schema safe cascade');
  }
});
