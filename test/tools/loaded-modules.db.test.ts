// Which of the sources the built program loads.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../support/server-process.ts';
import { useHarbor } from '../support/harbor.ts';
import { runProgram, spawnServer } from '../support/spawned-server.ts';
import { listLoadedModules } from './support/loaded-modules.ts';
import { useFolder } from '../support/use.ts';

const harbor = await useHarbor();
const folder = useFolder();
const loadedModules = listLoadedModules(folder);
const environment = { NODE_V8_COVERAGE: loadedModules.folder };

const ENTRY = /^tools\/(?:main\.ts|run-command\.ts|command-line\/|commands\/)/u;

test('P51 `rowhouse FILE`, its workers too, loads no tool: only the server and what reads the command line', async () => {
  const file = path.join(folder, 'rowhouse.conf');
  writeFileSync(file, `db-uri = "${harbor.uri}"\ndb-schemas = "api"\ndb-anon-role = "${harbor.anon}"\n`);
  const options = { 'server-port': await findFreePort(), 'server-host': '127.0.0.1', 'server-workers': 2 };
  const server = spawnServer([file], { environment, options });
  await server.logged(/API server listening on/u);
  server.signal('SIGTERM');
  expect(await server.ended()).toBe(0);
  const loaded = loadedModules.take();
  expect(loaded).toEqual(
    expect.arrayContaining(['src/service/service.ts', 'src/server/worker.ts', 'src/serve/handle-request.ts']),
  );
  expect(loaded.filter((file) => !file.startsWith('src/') && !ENTRY.test(file))).toEqual([]);
});

test('a command loads its own tool and no server', async () => {
  const { code } = await runProgram(['token', '--role', 'web_user', '--jwt-secret', 'x'.repeat(32)], { environment });
  expect(code).toBe(0);
  const tools = new Set(
    loadedModules
      .take()
      .filter((file) => file.startsWith('tools/') && !ENTRY.test(file))
      .map((file) => path.dirname(file)),
  );
  expect([...tools].sort()).toEqual(['tools/support', 'tools/token']);
});
