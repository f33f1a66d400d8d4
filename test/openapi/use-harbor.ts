// Sets up the harbor schema for the tests of one file, and builds one kind of document from it.
import type { DescriptionInput } from '../../src/openapi/document/description-input.ts';
import type { LazyObject } from '../../src/openapi/document/json-document.ts';
import { createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { use } from '../support/use.ts';
import { inputOf, type Json, parseDocument, readCache, readVisibility } from './describe.ts';
import { HARBOR_SQL, READER } from './harbor.ts';

export interface Harbor {
  readonly database: TestDatabase;
  /** The document of schema `api` for the role. */
  readonly document: Json;
  readonly describe: (changes: Partial<DescriptionInput>) => Json;
}

export async function useHarbor(
  build: (input: DescriptionInput) => LazyObject,
  role: string = READER,
): Promise<Harbor> {
  const database = await use(createDatabase());
  await runSql(database.uri, HARBOR_SQL);
  const cache = await readCache(database.uri, ['api', 'archive', 'blank']);
  const describe: Harbor['describe'] = (changes) => parseDocument(build(inputOf(cache, changes)));
  return { database, describe, document: describe({ visibility: await readVisibility(database.uri, role) }) };
}
