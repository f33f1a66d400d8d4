// `npm run bench -- types`: the time to print the TypeScript types of a schema of two hundred tables, and to check a file
// that uses them.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { generateSchema, SCHEMA } from './generate-schema.ts';
import { median, renderTable } from './report.ts';

const RUNS = 5;
const SIZE = { tables: 200, columns: 2400, foreignKeys: 300, functions: 100, views: 30 };

const USE = `import { PostgrestClient } from '@supabase/postgrest-js';
import type { Database } from './database.ts';
const api = new PostgrestClient<Database>('http://localhost').schema('${SCHEMA}');
const embedded = await api.from('table_7')
  .select('title, owner:table_49!owner_0_id(title), table_1!table_1_owner_0_id_fkey(id, title)').throwOnError();
export const titles: string[] = embedded.data.flatMap(({ title, table_1 }) => [title, ...table_1.map((row) => row.title)]);
export const owner: string | undefined = embedded.data[0]?.owner?.title;
const spread = await api.from('table_3').select('id, ...table_21!owner_0_id(owner_title:title)').throwOnError();
export const lifted: string | null | undefined = spread.data[0]?.owner_title;
const called = await api.rpc('function_1', { search: 'x' }).select('id, title').throwOnError();
export const found: number | undefined = called.data[0]?.id;
const inserted = await api.from('table_0').insert({ title: 'x' }).select('id').single().throwOnError();
export const id: number = inserted.data.id;
// @ts-expect-error: unknown column
export const wrong: string | undefined = (await api.from('table_0').select('titel').throwOnError()).data[0]?.titel;
`;

const PROJECT = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
  },
  files: ['use.ts'],
};

const folder = await mkdtemp(path.join(os.tmpdir(), 'rowhouse-types-'));
// Next to the folder, not in it: PostgreSQL may have to run as a user who cannot enter the folder.
const started = await startEmbeddedPostgres({ dataFolder: `${folder}-data`, isTemporary: true });
if (!started.ok) throw new Error(renderEmbeddedError(started.error));
try {
  await measure(started.value.uri);
} finally {
  await started.value.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(uri: string): Promise<void> {
  await withConnection(uri, async (client) => {
    for (const sql of generateSchema(SIZE)) await client.query(sql);
  });
  const environment = { ...process.env, SVC_DB_URI: uri, SVC_DB_SCHEMAS: SCHEMA };
  const printed = await time('rowhouse types', [path.resolve('dist/cli/main.js'), 'types'], environment);
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction');
  const files = { 'database.ts': printed.text, 'use.ts': USE, 'package.json': '{"type":"module"}' };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(PROJECT));
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  const checked = await time('tsc', [compiler, '-p', folder], process.env);
  const lines = printed.text.split('\n').length;
  process.stdout.write(`${SIZE.tables} tables, ${lines} lines of types; seconds of ${RUNS} runs\n\n`);
  process.stdout.write(renderTable([['', 'least', 'median', 'most'], printed.row, checked.row]));
}

/** @returns the output of the program, and its run time in seconds */
async function time(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Timed> {
  const seconds: number[] = [];
  let text = '';
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    text = (await promisify(execFile)(process.execPath, [...args], { env, maxBuffer: 1e9 })).stdout;
    seconds.push((performance.now() - start) / 1000);
  }
  return {
    text,
    row: [name, ...[Math.min(...seconds), median(seconds), Math.max(...seconds)].map((s) => s.toFixed(2))],
  };
}

interface Timed {
  readonly text: string;
  readonly row: readonly string[];
}
