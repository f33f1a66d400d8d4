// Sets up the harbor schema for the tests of one file, and builds one kind of document from it.
import { afterAll, beforeAll } from 'vitest';
import type { DescriptionInput } from '../../src/openapi/document/description-input.ts';
import type { LazyObject } from '../../src/openapi/document/json-document.ts';
import { createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { inputOf, type Json, parseDocument, readCache, readVisibility } from './describe.ts';
import { HARBOR_SQL, READER } from './harbor.ts';

export interface Harbor {
  readonly database: TestDatabase;
  /** The document of schema `api` for the role. */
  readonly document: Json;
  readonly describe: (changes: Partial<DescriptionInput>) => Json;
}

/** The returned object can be used only inside tests. */
export function useHarbor(build: (input: DescriptionInput) => LazyObject, role: string = READER): Harbor {
  const harbor: { -readonly [key in keyof Harbor]?: Harbor[key] } = {};
  beforeAll(async () => {
    const database = await createDatabase();
    await runSql(database.uri, HARBOR_SQL);
    const cache = await readCache(database.uri, ['api', 'archive', 'blank']);
    harbor.database = database;
    harbor.describe = (changes) => parseDocument(build(inputOf(cache, changes)));
    harbor.document = harbor.describe({ visibility: await readVisibility(database.uri, role) });
  });
  afterAll(() => harbor.database?.drop());
  return harbor as Harbor;
}
