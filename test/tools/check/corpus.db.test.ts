// Schemas that are safe, each another common pattern: whatever is found in them, nothing is proved, so nothing is an error.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { proveFindings } from '../../../tools/check/probes/prove-findings.ts';
import { runLints } from '../../../tools/check/run-lints.ts';
import { connect, createDatabase, runSql, useRoles } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const CORPUS = path.join(import.meta.dirname, 'corpus');
const files = readdirSync(CORPUS);

const [owner, ...roles] = await useRoles('owner', 'web_anon', 'web_user', 'web_admin');
const prefix: string = owner.replace('owner', '');
const database = await use(createDatabase());
await runSql(database.uri, `grant create on database ${database.name} to ${owner}`);
const client = await use(connect(database.uri));

test('P46 there are at least 60 schemas', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
});

test.each(files)('P46 %s', async (file) => {
  const text = readFileSync(path.join(CORPUS, file), 'utf8').replaceAll(/\bweb_\w+/gu, `${prefix}$&`);
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
