// The printed TypeScript compiles with the strictest options and matches the database.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadSqlFile } from '../../../tools/embedded/script/load-sql.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { createDatabase, loadFixture, runSql } from '../../support/database.ts';
import { generateTypes } from './generate-types.ts';
import { use, useFolder } from '../../support/use.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DEMO = path.join(ROOT, 'tools/demo/demo.sql');
const CHINOOK = path.join(ROOT, '../shared/data/chinook.sql');

const STRICTEST = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
};

const folder = useFolder();
await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
const database = await use(createDatabase());

test('the types of the demo compile, as does a query that uses them', async () => {
  await loadFixture(database.uri, DEMO);
  const use = `import { PostgrestClient } from '@supabase/postgrest-js';
    import type { Database } from './database.ts';
    const api = new PostgrestClient<Database>('http://localhost').schema('api');
    const { data } = await api.from('houses').select('address, residents(name, neighbours(name))').throwOnError();
    const names: string[][] | undefined = data[0]?.residents.map(({ name, neighbours }) => [name, ...neighbours.map((n) => n.name)]);
    export const result: (string | null | string[][] | undefined)[] = [data[0]?.address ?? null, names];`;
  expect(await compile({ 'database.ts': await generateTypes(database.uri, 'api'), 'use.ts': use })).toBe('');
  const wrong = use.replace('address, residents', 'adress, residents');
  expect(await compile({ 'database.ts': await generateTypes(database.uri, 'api'), 'use.ts': wrong })).toContain(
    "column 'adress' does not exist on 'houses'",
  );
});

test('B33 rows to insert nest by their relationships', async () => {
  const use = `import type { NestedInsert, TablesInsert } from './database.ts';
    const house = { number: 1, built: 1901, colour: 'red', east: 1, north: 1 };
    export const street: NestedInsert<'streets'> = {
      name: 'Canal Street',
      laid_out: 1900,
      houses: [
        {
          ...house,
          residents: [
            {
              name: 'Ada',
              moved_in: '1902-01-01',
              skills: [{ name: 'carpentry', kind: 'hands' }],
              'tools!tools_owner_id_fkey': [{ name: 'saw', value: 9 }],
              residents: null,
            },
          ],
        },
      ],
    };
    export const below: NestedInsert<{ schema: 'api' }, 'houses'> = { ...house, streets: { name: 'x', laid_out: 1900 } };
    export const flat: NestedInsert<'houses'> = { ...house, street_id: 1 } satisfies TablesInsert<'houses'>;
    // @ts-expect-error has no such relationship
    export const unrelated: NestedInsert<'streets'> = { name: 'x', laid_out: 1900, tools: [] };
    // @ts-expect-error is a list
    export const object: NestedInsert<'streets'> = { name: 'x', laid_out: 1900, houses: house };
    // @ts-expect-error is one row
    export const list: NestedInsert<'houses'> = { ...house, streets: [{ name: 'x', laid_out: 1900 }] };
    // @ts-expect-error lacks a required column
    export const incomplete: NestedInsert<'houses'> = { ...house, streets: { name: 'x' } };`;
  expect(await compile({ 'database.ts': await generateTypes(database.uri, 'api'), 'use.ts': use })).toBe('');
});

test('a row of every type, as the database renders it, matches its type', async () => {
  await runSql(database.uri, 'drop schema api cascade');
  await loadFixture(database.uri, fileURLToPath(new URL('every-type.sql', import.meta.url)));
  const row = await withConnection(database.uri, async (client) => {
    const result = await client.query<{ row: string }>('select row_to_json(small)::text as row from api.small');
    return result.rows[0]?.row;
  });
  const use = `import type { Database } from './database.ts';
    export const row: Database['api']['Tables']['small']['Row'] = ${row};
    export const written: Database['api']['Tables']['small']['Insert'] = ${row};`;
  expect(await compile({ 'database.ts': await generateTypes(database.uri, 'api'), 'use.ts': use })).toBe('');
});

test.skipIf(!existsSync(CHINOOK))('the types of chinook compile, if the file is present', async () => {
  const loaded = await loadSqlFile(database.uri, CHINOOK);
  expect(loaded.ok).toBe(true);
  try {
    const uri = Object.assign(new URL(database.uri), { pathname: '/chinook' }).href;
    const use = `import { PostgrestClient } from '@supabase/postgrest-js';
      import type { Database } from './database.ts';
      const client = new PostgrestClient<Database>('http://localhost');
      const { data } = await client.from('artist').select('name, album(title, track(name, ...genre(genre:name)))').throwOnError();
      export const genres: (string | null)[] | undefined = data[0]?.album[0]?.track.map(({ genre }) => genre);`;
    expect(await compile({ 'database.ts': await generateTypes(uri, 'public'), 'use.ts': use })).toBe('');
  } finally {
    await runSql(database.uri, 'drop database if exists chinook with (force)');
  }
});

test('the helper types reach every schema and reject unknown names', async () => {
  await runSql(
    database.uri,
    `create schema first; create schema "second-one"; create schema "__proto__";
     create type first.mood as enum ('good', 'it''s "so"'); create type "second-one".size as enum ('s', 'm');
     create type "__proto__".mood as enum ('odd');
     create type "second-one".pair as (a integer, b text);
     create table first.plain (id integer primary key, mood first.mood);
     create table "second-one".boxes (id integer primary key, size "second-one".size default 's', pair "second-one".pair);
     create view "second-one".small as select id from "second-one".boxes where size = 's';
     create view "second-one".counted as select count(*) as boxes from "second-one".boxes;
     create function "second-one".half(integer) returns integer language sql return $1;
     create function "second-one".double(n integer) returns integer language sql return n * 2;`,
  );
  const types = await generateTypes(database.uri, 'first,second-one,__proto__');
  const use = `import { PostgrestClient } from '@supabase/postgrest-js';
    import { Constants, type CompositeTypes, type Database, type Enums, type Tables, type TablesInsert, type TablesUpdate } from './database.ts';
    type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    type Second = { schema: 'second-one' };
    export const checks: true[] = [
      true satisfies Equal<Tables<'plain'>, { id: number; mood: 'good' | 'it\\'s "so"' | null }>,
      true satisfies Equal<Tables<Second, 'small'>, { id: number }>,
      true satisfies Equal<TablesInsert<Second, 'boxes'>['id'], number>,
      true satisfies Equal<TablesUpdate<Second, 'small'>, { id?: number }>,
      true satisfies Equal<TablesInsert<Second, 'counted'>, never>,
      true satisfies Equal<Enums<'mood'>, (typeof Constants)['first']['Enums']['mood'][number]>,
      true satisfies Equal<Enums<Second, 'size'>, 's' | 'm'>,
      true satisfies Equal<CompositeTypes<Second, 'pair'>, { a: number | null; b: string | null }>,
    ];
    export type Wrong = [
      // @ts-expect-error of another schema
      Tables<'boxes'>,
      // @ts-expect-error of the default schema
      Tables<Second, 'plain'>,
      // @ts-expect-error no such schema
      Tables<{ schema: 'third' }, 'boxes'>,
      // @ts-expect-error of another schema
      Enums<'size'>,
      // @ts-expect-error of another schema
      CompositeTypes<'pair'>,
    ];
    export const moods: readonly ['good', 'it\\'s "so"'] = Constants.first.Enums.mood;
    export const odd: 'odd' = Constants['__proto__'].Enums.mood[0];
    const client = new PostgrestClient<Database>('http://localhost').schema('second-one');
    export const rows: Tables<Second, 'boxes'>[] = (await client.from('boxes').select().throwOnError()).data;
    export const doubled: number = (await client.rpc('double', { n: 1 }).throwOnError()).data;`;
  expect(await compile({ 'database.ts': types, 'use.ts': use })).toBe('');
  expect((await import(path.join(folder, 'database.ts'))) as unknown).toMatchObject({
    Constants: { first: { Enums: { mood: ['good', `it's "so"`] } }, 'second-one': { Enums: { size: ['s', 'm'] } } },
  });
});

test('the typed queries compile, and the wrong ones do not', async () => {
  const queries = path.join(ROOT, 'test/clients/typed-queries.db.test.ts');
  expect(
    await runCompiler(
      JSON.stringify({
        extends: path.join(ROOT, 'tsconfig.json'),
        include: [path.join(ROOT, 'test/support/*.ts')],
        files: [queries],
      }),
    ),
  ).toBe('');
});

/** Returns the compiler output; empty if there are no errors. */
async function compile(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  return runCompiler(JSON.stringify({ compilerOptions: STRICTEST, files: Object.keys(files) }));
}

async function runCompiler(project: string): Promise<string> {
  await writeFile(path.join(folder, 'tsconfig.json'), project);
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', folder], { cwd: folder });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
