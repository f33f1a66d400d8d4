// Validates both descriptions of very different schemas with the official JSON Schemas.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { buildOpenApi31 } from '../../src/extensions/openapi3/build-openapi31.ts';
import { buildSwagger } from '../../src/openapi/swagger/build-swagger.ts';
import { EXTENSION_NAMES, enableExtensions } from '../../src/contract/extensions.ts';
import { loadSqlFile } from '../../tools/embedded/script/load-sql.ts';
import { withDatabase } from '../../tools/embedded/script/sql-session.ts';
import { adminUri, createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { inputOf, parseDocument, readCache, readVisibility } from './describe.ts';
import { HARBOR_SQL, ODD_SQL, READER } from './harbor.ts';
import { validate, validate3 } from './validate.ts';
import { useFolder } from '../support/use.ts';

/** Renames the roles, because other tests create those of the demo at the same time. */
async function readDemo(): Promise<string> {
  const sql = await readFile(new URL('../../tools/demo/demo.sql', import.meta.url), 'utf8');
  return sql.replaceAll(/\b(?:demo_anon|demo_user|authenticator)\b/gu, 'openapi_$&');
}

describe.each([
  { name: 'every type, key and function', sql: async () => HARBOR_SQL, role: READER },
  { name: 'odd names', sql: async () => ODD_SQL, role: READER },
  { name: 'the demo', sql: readDemo, role: 'openapi_demo_anon' },
])('$name', ({ sql, role }) => {
  let database: TestDatabase;
  let cache: SchemaCache;

  beforeAll(async () => {
    database = await createDatabase();
    await runSql(database.uri, await sql());
    cache = await readCache(database.uri);
  });
  afterAll(() => database.drop());

  test.each([true, false])('O226 the Swagger 2.0 document is valid, security %s', async (isSecurityActive) => {
    expect(await validate(parseDocument(buildSwagger(inputOf(cache, { isSecurityActive }))))).toEqual([]);
  });

  test.each([true, false])('the OpenAPI 3.1 document is valid, security %s', async (isSecurityActive) => {
    expect(await validate3(parseDocument(buildOpenApi31(inputOf(cache, { isSecurityActive }))))).toEqual([]);
  });

  test.each([true, false])('B85 the OpenAPI 3.2 document is valid, security %s', async (isSecurityActive) => {
    const input = inputOf(cache, {
      version: '3.2',
      extensions: enableExtensions(EXTENSION_NAMES),
      isSecurityActive,
      isWatchable: true,
    });
    expect(await validate3(parseDocument(buildOpenApi31(input)))).toEqual([]);
  });

  test('both documents are valid for a role and one of several schemas', async () => {
    const visibility = await readVisibility(database.uri, role);
    const input = inputOf(cache, { visibility, exposedSchemas: ['api', 'archive'] });
    expect(await validate(parseDocument(buildSwagger(input)))).toEqual([]);
    expect(await validate3(parseDocument(buildOpenApi31(input)))).toEqual([]);
  });
});

const CHINOOK = fileURLToPath(new URL('../../../shared/data/chinook.sql', import.meta.url));
/** The file creates a database with a fixed name, which other tests use at the same time. */
const CHINOOK_DATABASE = 'chinook_described';

async function loadChinook(): Promise<string> {
  const folder = useFolder();
  const file = path.join(folder, 'chinook.sql');
  const sql = await readFile(CHINOOK, 'utf8');
  await writeFile(
    file,
    sql.replaceAll(/^(DROP DATABASE.*|CREATE DATABASE|\\c) chinook;/gmu, `$1 ${CHINOOK_DATABASE};`),
  );
  const loaded = await loadSqlFile(adminUri(), file);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  expect(loaded.value.databases).toEqual([CHINOOK_DATABASE]);
  return withDatabase(adminUri(), CHINOOK_DATABASE);
}

describe.skipIf(!existsSync(CHINOOK))('chinook, if the file is present', () => {
  let cache: SchemaCache;

  beforeAll(async () => {
    cache = await readCache(await loadChinook(), ['public']);
  });
  afterAll(() => runSql(adminUri(), `drop database if exists ${CHINOOK_DATABASE} with (force)`));

  test('O226 both documents are valid', async () => {
    const input = inputOf(cache, { schema: 'public', exposedSchemas: ['public'] });
    const swagger = parseDocument(buildSwagger(input));
    expect(Object.keys(swagger['definitions'] as object)).toContain('playlist_track');
    expect(await validate(swagger)).toEqual([]);
    expect(await validate3(parseDocument(buildOpenApi31(input)))).toEqual([]);
  });
});
