// A client generated from the OpenAPI 3.1 document by a generator from npm compiles in strict mode, rejects what the
// schema rejects, and reads and writes the rows of the demo through the running server.
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { expect, test } from 'vitest';
import { createDatabase, runSql } from '../support/database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { signToken } from '../../tools/token/issue-token.ts';
import { use, useFolder } from '../support/use.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const SECRET = 'a secret of this test, long enough to sign';
const run = promisify(execFile);

/** A program as a user of the generated client would write it. */
const PROGRAM = `
import { ok } from '@oazapfts/runtime';
import { defaults, deleteNotes, getStreets, patchNotes, postNotes, rpcGetFindTools, rpcGetWalkMinutes } from './client.ts';

defaults.baseUrl = process.env['API_URL'] ?? '';
const prefer = 'return=representation';
const token = { headers: { Authorization: \`Bearer \${process.env['API_TOKEN']}\` } };

const streets = await ok(getStreets({ order: 'name.desc', limit: 2 }));
const names: readonly string[] = streets.map(({ name }) => name);
const tools = await ok(rpcGetFindTools({ query: 'ladder', order: 'id' }));
const minutes: number | null = await ok(rpcGetWalkMinutes({ fromHouse: 1, toHouse: 2 }));

const [pinned] = await ok(postNotes({ prefer, body: { topic: 'party', title: 'Ältere Lieder, & Kuchen' } }, token));
const id = \`eq.\${pinned?.id}\`;
const changed = await ok(patchNotes({ id, prefer, notesUpdates: { body: null, title: 'Cake' } }, token));
await ok(deleteNotes({ id }, token));
const refused = await postNotes({ body: { title: 'Nobody wrote this' } });

// @ts-expect-error a column that notes do not have
void (() => postNotes({ body: { title: 'x', colour: 'red' } }));
// @ts-expect-error a label that the enum does not have
void (() => postNotes({ body: { title: 'x', topic: 'war' } }));
// @ts-expect-error a column that must be sent
void (() => postNotes({ body: { topic: 'party' } }));
// @ts-expect-error an argument that the function requires
void (() => rpcGetWalkMinutes({ fromHouse: 1 }));

console.log(JSON.stringify({
  names,
  tools: tools.map(({ name }) => name),
  minutes,
  pinned: { topic: pinned?.topic, title: pinned?.title, author: pinned?.author_id },
  changed: Array.isArray(changed) && changed.map(({ title, body }) => ({ title, body })),
  refused: { status: refused.status, code: 'code' in refused.data && refused.data.code },
}));
`;

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: ['node'],
  module: 'nodenext',
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  rootDir: '.',
  outDir: 'out',
};

/** Renames the roles, because other tests create those of the demo at the same time. */
async function readDemo(): Promise<string> {
  const sql = await readFile(new URL('../../tools/demo/demo.sql', import.meta.url), 'utf8');
  return sql.replaceAll(/\b(?:demo_anon|demo_user|authenticator)\b/gu, 'client_$&');
}

const folder = useFolder();
await symlink(MODULES, path.join(folder, 'node_modules'));
await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
const database = await use(createDatabase());
await runSql(database.uri, await readDemo());
const server = await use(
  startServerProcess({
    'db-uri': database.uri,
    'db-schemas': 'api',
    'db-anon-role': 'client_demo_anon',
    'jwt-secret': SECRET,
    'openapi-mode': 'ignore-privileges',
    'db-config': false,
  }),
);

async function generateClient(): Promise<void> {
  const accept = 'application/vnd.oai.openapi+json;version=3.1';
  const response = await fetch(`http://127.0.0.1:${server.port}/`, { headers: { accept } });
  const document = path.join(folder, 'document.json');
  await writeFile(document, await response.text());
  await writeFile(path.join(folder, 'client.ts'), await generateSource(document, { argumentStyle: 'object' }));
}

test('a generated client compiles in strict mode, reads and writes', async () => {
  await generateClient();
  await writeFile(path.join(folder, 'program.ts'), PROGRAM);
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] }),
  );
  const compiled = await run(path.join(MODULES, '.bin/tsc'), ['-p', folder]).catch((error: unknown) => error);
  expect(compiled).toMatchObject({ stdout: '' });
  const token = signToken({ role: 'client_demo_user', resident_id: 3 }, SECRET);
  const { stdout } = await run(process.execPath, [path.join(folder, 'out/program.js')], {
    env: { API_URL: `http://127.0.0.1:${server.port}`, API_TOKEN: token },
  });
  expect(JSON.parse(stdout)).toStrictEqual({
    names: ['Upper Ropewalk', 'Lantern Row'],
    tools: ['Ladder, 3 m', 'Ladder, 6 m'],
    minutes: 1,
    pinned: { topic: 'party', title: 'Ältere Lieder, & Kuchen', author: 3 },
    changed: [{ title: 'Cake', body: null }],
    refused: { status: 401, code: '42501' },
  });
});
