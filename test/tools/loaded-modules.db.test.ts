// Which of the sources the built program loads. V8 lists the scripts, and their source maps the modules in them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { findFreePort } from '../support/server-process.ts';
import { useHarbor } from '../server/support/harbor.ts';
import { runProgram, spawnServer } from '../server/support/spawned-server.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const harbor = await useHarbor();
const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-modules-'));
const environment = { NODE_V8_COVERAGE: path.join(folder, 'coverage') };

afterAll(() => rmSync(folder, { recursive: true }));

/** Of all processes that have ended, and forgets them. */
function takeLoadedModules(): readonly string[] {
  const coverage = readdirSync(environment.NODE_V8_COVERAGE).map((name) =>
    path.join(environment.NODE_V8_COVERAGE, name),
  );
  const scripts = new Set(coverage.flatMap(listScripts));
  for (const file of coverage) rmSync(file);
  return [...scripts].flatMap(listSources);
}

function listScripts(coverage: string): readonly string[] {
  const { result } = JSON.parse(readFileSync(coverage, 'utf8')) as {
    readonly result: readonly { readonly url: string }[];
  };
  return result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
}

function listSources(script: string): readonly string[] {
  // A chunk that only exports what others contain has no map.
  if (!script.startsWith(path.join(ROOT, 'dist')) || !existsSync(`${script}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${script}.map`, 'utf8')) as { readonly sources: readonly string[] };
  return sources.map((source) => path.relative(ROOT, path.resolve(path.dirname(script), source)));
}

const ENTRY = /^tools\/(?:main\.ts|run-command\.ts|command-line\/)/u;

test('P51 `rowhouse FILE`, its workers too, loads no tool: only the server and what reads the command line', async () => {
  const file = path.join(folder, 'rowhouse.conf');
  writeFileSync(file, `db-uri = "${harbor.uri}"\ndb-schemas = "api"\ndb-anon-role = "${harbor.anon}"\n`);
  const options = { 'server-port': await findFreePort(), 'server-host': '127.0.0.1', 'server-workers': 2 };
  const server = spawnServer([file], { environment, options });
  await server.logged(/API server listening on/u);
  server.signal('SIGTERM');
  expect(await server.ended()).toBe(0);
  const loaded = takeLoadedModules();
  expect(loaded).toEqual(
    expect.arrayContaining(['src/service/service.ts', 'src/workers/worker.ts', 'src/handle-request.ts']),
  );
  expect(loaded.filter((file) => !file.startsWith('src/') && !ENTRY.test(file))).toEqual([]);
});

test('a command loads its own tool and no server', async () => {
  const { code } = await runProgram(['token', '--role', 'web_user', '--jwt-secret', 'x'.repeat(32)], { environment });
  expect(code).toBe(0);
  const tools = new Set(
    takeLoadedModules()
      .filter((file) => file.startsWith('tools/') && !ENTRY.test(file))
      .map((file) => path.dirname(file)),
  );
  expect([...tools].sort()).toEqual(['tools/support', 'tools/token']);
});
