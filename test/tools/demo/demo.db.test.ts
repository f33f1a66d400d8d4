// The demo as a separate process, as `npm start` and `rowhouse sql` use it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { planServe } from '../../../tools/demo/serve-demo.ts';
import { isAlive, readPostmasterFile } from '../../../tools/embedded/cluster/postmaster-file.ts';
import { type RequestParts, sendRequest } from '../../support/local-server.ts';
import { runProgram, spawnServer } from '../../support/spawned-server.ts';
import { openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { findFreePort } from '../../support/server-process.ts';
import { useFolder, whenOver } from '../../support/use.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

let written = '';

/** Starts the demo like npm: through a shell, with a variable that names the script. */
const folder = useFolder();
const environment: Record<string, string> = { ROWHOUSE_DATA: path.join(folder, 'data') };
const port = await findFreePort();
const flags = `--demo --server-port ${port} --admin-server-port ${await findFreePort()}`;
const shell: ChildProcessWithoutNullStreams = spawn('sh', ['-c', `${process.execPath} ${MAIN} ${flags}; :`], {
  env: { PATH: process.env['PATH'] ?? '', ...environment, npm_lifecycle_event: 'start' },
});
for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
await until(() => written.includes('Ctrl-C'), { seconds: 60, why: () => written });

whenOver(() => shell.kill('SIGKILL'));

function writeSql(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('the banner names the explorer, whose tools work: plans, aggregates and dry runs are on', async () => {
  expect(written).toContain(`  Explorer  http://localhost:${port}/ in a browser\n`);
  const token = /^ {2}(eyJ\S+)$/mu.exec(written)?.[1] ?? '';
  const ask = (target: string, parts: RequestParts = {}): ReturnType<typeof sendRequest> =>
    sendRequest({ host: '127.0.0.1', port, path: target }, parts);
  const plan = await ask('/streets', { headers: { Accept: 'application/vnd.svc.plan+json' } });
  expect(JSON.parse(plan.text)).toMatchObject([{ Plan: {} }]);
  expect((await ask('/streets?select=count()')).text).toBe('[{"count":5}]');
  const write = await ask('/notes', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Prefer: 'tx=rollback, return=representation',
    },
    body: '{"title": "Only tried"}',
  });
  expect([write.status, write.headers['preference-applied']]).toEqual([
    201,
    expect.stringContaining('tx=rollback') as string,
  ]);
  expect((await ask('/notes?select=title&title=eq.Only+tried')).text).toBe('[]');
});

test('`sql` prints query results, and the new route works when it exits', async () => {
  const file = writeSql(
    'pens.sql',
    `create table pens (colour text);\ninsert into pens values ('blue');\ntable pens;\n`,
  );
  const { code, stdout, stderr } = await runProgram(['sql', file], { environment });
  const answer = await sendRequest({ host: '127.0.0.1', port, path: '/pens' });
  expect([answer.status, answer.text]).toEqual([200, '[{"colour":"blue"}]']);
  expect(code).toBe(0);
  expect(stdout).toBe(
    ` colour\n--------\n blue\n(1 row)\n\nRan 3 statements of ${file} in database demo.\nNew: http://localhost:${port}/pens\n`,
  );
  expect(stderr).toBe('Running 3 statements …\nWaiting for the server to load the change …\n');
});

test('B71b rows can be watched, also those of new tables, and nothing is replicated before', async () => {
  const slots = writeSql('slots.sql', 'select count(*) as slots from pg_replication_slots;\n');
  const before = await runProgram(['sql', slots], { environment });
  expect(before.stdout).toMatch(/^ slots\n-+\n +0\n/u);
  await runProgram(['sql', writeSql('cups.sql', 'create table cups (id int primary key);\n')], { environment });
  const [notes, cups, pens] = await Promise.all(['/notes', '/cups', '/pens'].map((target) => openEvents(port, target)));
  expect([notes?.status, cups?.status, pens?.status]).toEqual([200, 200, 400]);
  await cups?.first(1);
  await runProgram(['sql', writeSql('cup.sql', 'insert into cups values (1);\n')], { environment });
  expect((await cups?.first(2))?.[1]).toMatchObject({ name: 'change', data: '{"upsert": [{"id":1}], "delete": []}' });
  // Publishing a table without a key would break this.
  const change = await runProgram(['sql', writeSql('pen.sql', `update pens set colour = 'blue';\n`)], { environment });
  expect(change.code).toBe(0);
  for (const client of [notes, cups, pens]) client?.close();
});

test('`sql` also waits for new functions and changed columns', async () => {
  const get = (target: string): ReturnType<typeof sendRequest> =>
    sendRequest({ host: '127.0.0.1', port, path: target });
  const run = async (name: string, text: string): Promise<string> =>
    (await runProgram(['sql', writeSql(name, text)], { environment })).stdout;
  for (const step of [1, 2]) {
    const body = `returns int language sql as 'select ${step}'`;
    const made = await run('made.sql', `create function step_${step}() ${body};\n`);
    const answer = await get(`/rpc/step_${step}`);
    expect([answer.status, answer.text]).toEqual([200, `${step}`]);
    expect(made).toContain(`\nNew: http://localhost:${port}/rpc/step_${step}\n`);
    const changed = await run('changed.sql', `create function step_${step}(times int) ${body};\n`);
    const again = await get(`/rpc/step_${step}?times=2`);
    expect([again.status, again.text]).toEqual([200, `${step}`]);
    expect(changed).not.toContain('New:');
  }
  await run('rows.sql', 'create table quays (id int references houses);\n');
  await run('moved.sql', 'alter table quays rename id to house_id;\n');
  const answer = await get('/quays?select=house_id,houses!house_id(id)');
  expect([answer.status, answer.text]).toEqual([200, '[]']);
});

test('`sql` reports an error in a file with its line', async () => {
  const file = writeSql('wrong.sql', 'select 1;\nselect * from nowhere;\n');
  const { code, stderr } = await runProgram(['sql', file], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain(`${file}, line 2: relation "nowhere" does not exist\n`);
});

test('a termination signal that npm forwards to its shell stops the server and the database', async () => {
  const data = path.join(folder, 'data');
  const postmaster = readPostmasterFile(path.join(data, 'pgdata'));
  const closed = once(shell, 'close');
  shell.kill('SIGTERM');
  await closed;
  expect(written).toContain('Received termination unix signal SIGTERM');
  expect(postmaster !== undefined && isAlive(postmaster.pid)).toBe(false);
  expect(existsSync(path.join(data, 'server.json'))).toBe(false);
  expect(existsSync(path.join(data, 'server-load'))).toBe(false);
});

test('with a jwt-secret set by the user, the banner omits the demo token, which would be invalid', async () => {
  const args = ['--demo', '--jwt-secret', 'a secret of the tests, longer than 32 bytes', '--server-port', String(port)];
  const server = spawnServer([...args, '--admin-server-port', String(await findFreePort())], { environment });
  await until(() => server.stdout().includes('Ctrl-C'), { seconds: 60, why: () => server.stderr() });
  server.signal('SIGTERM');
  await server.ended();
  expect(server.stdout()).toMatch(/^ {2}Create a token with your jwt-secret: .* token --role NAME FILE$/mu);
  expect(server.stdout()).not.toContain('Token (');
});

test('without arguments and variables, the demo is served after a notice', async () => {
  process.env['ROWHOUSE_DATA'] = path.join(folder, 'data');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const plan = await planServe('default', { file: undefined, environment: {} });
  const printed = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  delete process.env['ROWHOUSE_DATA'];
  if (!plan.ok) throw new Error(plan.error);
  expect(plan.value.location.overrides?.['db-uri']).toMatch(/^postgres:\/\/authenticator:.*\/demo$/u);
  await plan.value.onEnded();
  expect(printed).toBe(
    'No database specified, starting the demo. To serve your own: npx rowhouse postgres://user@host/name\n',
  );
});
