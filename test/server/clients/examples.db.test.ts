// Runs each program of `examples/` as its reader would, with the demo database. docs/library.md shows the same text.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDatabase, loadFixture } from '../../support/database.ts';
import { findFreePort } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLES = readdirSync(path.join(ROOT, 'examples')).sort();

/** Sends requests to the exports of a module, in place of the server that it is written for. */
const CALL = `
  const module = await import(process.argv[1]);
  const call = (request) => (module.default ? module.default.fetch(request) : module[request.method](request));
  const answers = [];
  for (const [path, init] of JSON.parse(process.argv[2])) {
    const response = await call(new Request('http://localhost' + path, init));
    answers.push([response.status, await response.text()]);
  }
  console.log(JSON.stringify(answers));
  process.exit();`;

type Sent = readonly [path: string, init: Readonly<RequestInit>];
type Answered = readonly [status: number, text: string];

const SESSION = { headers: { Cookie: 'session=open-sesame' } };
const REQUESTS: readonly Sent[] = [
  ['/api/streets?select=id&order=id&limit=1', {}],
  ['/api/rpc/whoami', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' }],
  ['/api/nothing', {}],
  ['/api/rpc/whoami', SESSION],
];

const database = await use(createDatabase());
await loadFixture(database.uri, path.join(ROOT, 'tools/demo/demo.sql'));

test.each(EXAMPLES)('%s serves the API under /api', async (file) => {
  const isServer = /\.listen\(/u.test(readFileSync(path.join(ROOT, 'examples', file), 'utf8'));
  const [read, malformed, nothing, who] = await (isServer ? askServer(file) : callModule(file));
  expect(read).toEqual([200, '[{"id":1}]']);
  expect([malformed?.[0], nothing?.[0]]).toEqual([400, 404]);
  expect(malformed?.[1]).toContain('"SVC102"');
  expect(nothing?.[1]).toContain('"SVC205"');
  const hasSessions = file === 'express.js' || file === 'hono.js';
  expect(JSON.parse(who?.[1] ?? '')).toEqual(
    hasSessions ? { role: 'demo_user', resident_id: 1 } : { role: 'demo_anon', resident_id: null },
  );
});

test('docs/library.md shows every example unchanged', () => {
  const page = readFileSync(path.join(ROOT, 'docs/library.md'), 'utf8');
  const missing = EXAMPLES.filter(
    (file) => !page.includes(`\`\`\`js\n${readFileSync(path.join(ROOT, 'examples', file), 'utf8')}\`\`\``),
  );
  expect(missing).toEqual([]);
});

async function askServer(file: string): Promise<readonly Answered[]> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [path.join(ROOT, 'examples', file)], {
    env: environment({ PORT: String(port) }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const base = `http://localhost:${port}`;
    const greet = async (): Promise<string | undefined> => {
      if (child.exitCode !== null) throw new Error(output);
      return fetch(base).then(
        (response) => response.text(),
        () => undefined,
      );
    };
    expect(await until(greet, { seconds: 60, why: () => output })).toBe('Lantern Row\n');
    return await Promise.all(
      REQUESTS.map(async ([target, init]) => {
        const response = await fetch(base + target, init);
        return [response.status, await response.text()] as const;
      }),
    );
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

async function callModule(file: string): Promise<readonly Answered[]> {
  const args = ['--input-type=module', '--eval', CALL, path.join(ROOT, 'examples', file), JSON.stringify(REQUESTS)];
  const child = spawn(process.execPath, args, { env: environment({}), stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.error += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(output.error);
  return JSON.parse(output.out) as readonly Answered[];
}

/** Removes the variables of the process that runs the tests. */
function environment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.uri, ...own };
}
