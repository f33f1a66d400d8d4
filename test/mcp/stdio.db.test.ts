// `rowhouse mcp`: agents on standard input and output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { SECRET, toVariables } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { type Agent, connect, loadShop, type Revision, REVISIONS } from './agents.ts';
import { signToken } from '../../tools/token/issue-token.ts';
import { useFolder } from '../support/use.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const harbor = await useHarbor();

await loadShop(harbor);
const folder = useFolder();

function variables(): Record<string, string> {
  return toVariables({
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-config': false,
    'jwt-secret': SECRET,
    'log-level': 'info',
  });
}

interface Launched extends Agent {
  readonly stderr: () => string;
}

async function launch(args: readonly string[], revision: Revision = '2026-07-28'): Promise<Launched> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    env: variables(),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { ...(await connect(transport, revision)), stderr: () => stderr };
}

test.each(REVISIONS)('B48 B81 the official client works on standard input and output (%s)', async (revision) => {
  const { client, rows, toolNames, stderr } = await launch(['--role', harbor.user], revision);
  expect(client.getServerVersion()).toMatchObject({ name: 'rowhouse' });
  expect(await toolNames()).toEqual(['list_relations', 'describe_relation', 'read_rows', 'call_function']);
  expect(await rows({ relation: 'secret', select: ['word'] })).toEqual([{ word: 'hush' }]);
  const line = `- ${harbor.user} \\[.*"GET /secret\\?select=word&order=id&limit=101 HTTP/1.1" 200`;
  await until(() => new RegExp(line, 'u').test(stderr()), { why: stderr });
});

test('B48b a token gives its role and claims, from a file too; without either, the anonymous role acts', async () => {
  const token = signToken({ role: harbor.user, sub: 'ada' }, SECRET);
  const file = path.join(folder, 'token');
  await writeFile(file, `${token}\n`);
  for (const given of [token, `@${file}`]) {
    const { call } = await launch(['--token', given]);
    const { content } = await call('call_function', {
      function: 'setting',
      arguments: { name: 'request.jwt.claims' },
    });
    expect(JSON.parse(String(content.data['value']))).toMatchObject({ sub: 'ada', role: harbor.user });
  }
  const { call } = await launch([]);
  expect((await call('call_function', { function: 'who' })).content.data).toEqual({ value: harbor.anon });
  expect((await call('read_rows', { relation: 'secret' })).isError).toBe(true);
});

test('B48c options apply, and writes are previews', async () => {
  const { call } = await launch(['--role', harbor.user, '--mcp-writes=true', '--mcp-max-rows=2']);
  expect((await call('read_rows', { relation: 'book', select: ['id'] })).content).toMatchObject({
    data: { rows: [{ id: 1 }, { id: 2 }] },
    isCut: true,
    next: { offset: 2 },
  });
  const inserted = await call('insert_rows', { relation: 'author', rows: [{ id: 9, name: 'Zed' }] });
  expect(inserted.content).toMatchObject({ data: { affected: 1 }, isCommitted: false });
  expect(await harbor.query('select count(*)::int from api.author where id = 9')).toEqual([[0]]);
});

test('B48g a call that the agent cancels, or leaves behind, gives its connection back', async () => {
  const hold = await harbor.hold();
  const { client, call } = await launch(['--role', harbor.user]);
  const abort = new AbortController();
  const given = { name: 'call_function', arguments: { function: 'wait_reading' } };
  const cancelled = client.callTool(given, { signal: abort.signal });
  await hold.waiting(1);
  abort.abort();
  await expect(cancelled).rejects.toThrow(/abort/iu);
  await hold.waiting(0);
  expect((await call('call_function', { function: 'who' })).content.data).toEqual({ value: harbor.user });
  const left = client.callTool(given);
  await hold.waiting(1);
  await Promise.all([client.close(), expect(left).rejects.toThrow(/closed/iu)]);
  await hold.waiting(0);
  await hold.release();
});

test('B48h the hosts that requests may name do not concern it', async () => {
  const { rows } = await launch(['--role', harbor.user, '--server-allowed-hosts=api.example.com']);
  expect(await rows({ relation: 'secret', select: ['word'] })).toEqual([{ word: 'hush' }]);
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly nodeArguments?: readonly string[];
  readonly input?: string;
  /** Whether standard input stays open. */
  readonly isOpen?: boolean;
}

async function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { nodeArguments = [], input = '', isOpen = false } = options;
  const child = spawn(process.execPath, [...nodeArguments, MAIN, ...args], { env: variables(), stdio: 'pipe' });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  // The program may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  if (!isOpen) child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written };
}

test('B48d it ends when the agent closes its end, and writes nothing else to standard output', async () => {
  expect(await run(['mcp', '--role', harbor.user])).toMatchObject({ code: 0, stdout: '' });
  const both = await run(['mcp', '--role', 'a', '--token', 'b']);
  expect(both).toMatchObject({ code: 1, stdout: '' });
  expect(both.stderr).toContain('Specify either --role or --token');
});

test('B48i a message that is too long to read ends it, with a reason', async () => {
  const { code, stderr } = await run(['mcp', '--role', harbor.user], { input: 'a'.repeat(11_000_000), isOpen: true });
  expect(code).toBe(1);
  expect(stderr).toContain('ReadBuffer exceeded maximum size');
});

test('B48j messages that nobody can read do not fill the log', async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const input = `${'[1]\n'.repeat(2000)}${ping}`;
  const { code, stderr } = await run(['mcp', '--role', harbor.user], { input });
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => line.includes('invalid')).length).toBeLessThan(20);
  expect(stderr.length).toBeLessThan(10_000);
});

test('B48f without a role, it says what to pass', async () => {
  const { code, stderr } = await run(['mcp', '--db-anon-role=']);
  expect(code).toBe(1);
  expect(stderr).toContain('Requests without a token have no role. Pass --role or --token, or set db-anon-role.\n');
});

/** Makes the package of the protocol missing. */
const WITHOUT_SDK = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    export function resolve(name, context, next) {
      if (!name.startsWith('@modelcontextprotocol/')) return next(name, context);
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    }
  \`));
`)}`;

test('B48e without its package, the command says what to install', async () => {
  const { code, stderr } = await run(['mcp', '--role', harbor.user], { nodeArguments: ['--import', WITHOUT_SDK] });
  expect([code, stderr]).toEqual([
    1,
    'rowhouse mcp requires the package @modelcontextprotocol/server. Install it beside the server: npm install @modelcontextprotocol/server@2\n',
  ]);
});

test('B49 without its package, the server starts, and says what mcp-path requires', async () => {
  const child = spawn(
    process.execPath,
    ['--import', WITHOUT_SDK, MAIN, '--server-host=127.0.0.1', '--server-port=0', '--mcp-path=/mcp'],
    { env: variables(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  const port = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const [, found] = /API server listening on 127\.0\.0\.1:(\d+)/u.exec(stderr) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  expect(stderr).toContain('mcp-path requires the package @modelcontextprotocol/server, which is not installed.');
  const [berths, agents] = await Promise.all([
    fetch(`http://127.0.0.1:${port}/berth?select=id&limit=1`),
    fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: '{}' }),
  ]);
  expect([berths.status, await berths.json()]).toEqual([200, [{ id: 1 }]]);
  expect([agents.status, await agents.json()]).toMatchObject([
    501,
    { code: 'SVC142', hint: 'The operator installs @modelcontextprotocol/server beside the server' },
  ]);
  child.kill();
  await once(child, 'close');
});
