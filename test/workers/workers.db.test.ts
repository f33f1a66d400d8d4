// Several processes answer requests on one port, started with the command that operators use.
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { StatusDocument, WorkerStatus } from '../../src/contract/status-document.ts';
import { findFreePort } from '../support/server-process.ts';
import { useHarbor } from '../support/harbor.ts';
import { type Options, post, sendRequest } from '../support/local-server.ts';
import { startServer } from '../../src/server/start-server.ts';
import { countWorkers, findCores } from '../../src/workers/count-workers.ts';
import { runProgram, type Spawned, spawnServer } from '../support/spawned-server.ts';
import { until } from '../support/until.ts';
import { useFolder } from '../support/use.ts';

const harbor = await useHarbor();
const folder = useFolder();

interface Command {
  readonly process: Spawned;
  readonly port: number;
  /** Uses a new connection. @returns the status, or the error code */
  ask(target: string, parts?: Parameters<typeof sendRequest>[1]): Promise<number | string>;
  admin(target: string): ReturnType<typeof sendRequest>;
  status(): Promise<StatusDocument>;
  workers(): Promise<readonly WorkerStatus[]>;
  /** Returns the sum of the samples whose lines match. */
  metric(pattern: RegExp): Promise<number>;
  /** Returns the log lines that match. */
  count(pattern: RegExp): number;
}

async function start(options: Options = {}, file?: string): Promise<Command> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const process = spawnServer(file === undefined ? [] : [file], {
    options: {
      'db-uri': harbor.uri,
      'db-schemas': 'api',
      'db-anon-role': harbor.anon,
      'server-host': '127.0.0.1',
      'server-port': port,
      'admin-server-port': adminPort,
      'server-workers': 2,
      ...options,
    },
  });
  await process.logged(/API server listening/u);
  const admin = (target: string): ReturnType<typeof sendRequest> =>
    sendRequest({ host: '127.0.0.1', port: adminPort, path: target });
  const status = async (): Promise<StatusDocument> => JSON.parse((await admin('/status')).text) as StatusDocument;
  return {
    process,
    port,
    ask: async (target, parts) => {
      try {
        return (await sendRequest({ host: '127.0.0.1', port, path: target }, parts)).status;
      } catch (error) {
        return String((error as NodeJS.ErrnoException).code);
      }
    },
    admin,
    status,
    workers: async () => (await status()).workers ?? [],
    metric: async (pattern) => {
      const lines = (await admin('/metrics')).text.split('\n').filter((line) => pattern.test(line));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    count: (pattern) =>
      process
        .stderr()
        .split('\n')
        .filter((line) => pattern.test(line)).length,
  };
}

/** Sends a signal and waits for the end of the process. */
async function end({ process }: Command): Promise<number | null> {
  process.signal('SIGTERM');
  return process.ended();
}

function sessions(condition: string): Promise<readonly (readonly unknown[])[]> {
  return harbor.query(`select pid from pg_stat_activity where usename = '${harbor.login}' and ${condition}`);
}

test('connections are handed to the workers in turn; one process listens and reads the schema', async () => {
  const command = await start();
  for (let index = 0; index < 40; index += 1) expect(await command.ask('/berth?id=eq.1')).toBe(200);
  const workers = await command.workers();
  expect(workers.map(({ answered, isReady }) => [answered, isReady])).toEqual([
    [20, true],
    [20, true],
  ]);
  expect(new Set(workers.map(({ pid }) => pid)).size).toBe(2);
  await command.process.logged(/Listener connected/u);
  expect(await sessions(`query = 'LISTEN "svc"'`)).toHaveLength(1);
  expect(await command.metric(/^svc_schema_cache_loads_total/u)).toBe(1);
  const once = [
    /: Starting rowhouse/u,
    /: Successfully connected/u,
    /: Connection Pool initialized with a maximum size of 10 connections$/u,
    /: Config reloaded$/u,
    /: Schema cache queried in/u,
    /: Schema cache loaded in/u,
    /: Admin server listening/u,
    /: Requests are answered by 2 workers: processes \d+, \d+$/u,
    /: API server listening/u,
    /: Listener connected/u,
  ];
  expect(once.map((pattern) => command.count(pattern))).toEqual(once.map(() => 1));
  expect(command.process.stderr().trim().split('\n')).toHaveLength(once.length + 1);
  expect(await end(command)).toBe(0);
  await until(async () => (await sessions('true')).length === 0);
});

test('the access log of all workers is one, with complete lines', async () => {
  const command = await start({ 'log-level': 'info' });
  const long = 'x'.repeat(9000);
  await Promise.all(Array.from({ length: 60 }, (_, index) => command.ask(`/berth?id=eq.${index}&or=${long}`)));
  expect(await end(command)).toBe(0);
  const lines = command.process.stdout().trimEnd().split('\n');
  const ids = lines.map(
    (line) => /^127\.0\.0\.1 - .*"GET \/berth\?id=eq\.(\d+)&or=x{9000} HTTP\/1\.1" 400 /u.exec(line)?.[1],
  );
  expect(ids.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
});

test('db-pool is the total, and each worker has its share', async () => {
  const command = await start({ 'db-pool': 5 });
  const hold = await harbor.hold();
  const answers: Promise<number | string>[] = [];
  for (let sent = 0; sent < 12; sent += 1) {
    answers.push(command.ask('/rpc/wait', post({})));
    await until(async () => (await command.status()).requests.inFlight === sent + 1);
  }
  await hold.waiting(5);
  const pool = async (): Promise<unknown> => (await command.status()).pool;
  await expect.poll(pool).toEqual({ max: 5, open: 5, inUse: 5, waiting: 7, timeouts: 0 });
  await hold.release();
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  expect(command.count(/cannot be divided/u)).toBe(0);
  await end(command);
});

test('a db-pool that cannot be divided is reported', async () => {
  const command = await start({ 'db-pool': 1 });
  expect(
    command.count(/: db-pool \(1\) cannot be divided among 2 workers: each may open one connection, 2 in total$/u),
  ).toBe(1);
  expect((await command.status()).pool.max).toBe(2);
  await end(command);
});

test('server-max-requests is a total, too', async () => {
  const command = await start({ 'server-max-requests': 4 });
  const hold = await harbor.hold();
  const answers: Promise<number | string>[] = [];
  for (let sent = 0; sent < 4; sent += 1) {
    answers.push(command.ask('/rpc/wait', post({})));
    await hold.waiting(sent + 1);
  }
  expect([await command.ask('/berth'), await command.ask('/berth')]).toEqual([503, 503]);
  expect(await command.metric(/^svc_http_refused_total\{reason="server-max-requests"\}/u)).toBe(2);
  await hold.release();
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  await end(command);
});

test('server-max-connections is a total, too', async () => {
  const command = await start({ 'server-max-connections': 8 });
  const clients = [];
  const outcomes = [];
  for (let index = 0; index < 12; index += 1) {
    const client = connect(command.port, '127.0.0.1');
    clients.push(client);
    const outcome = new Promise<string>((resolve) => {
      client.on('error', () => {});
      client.on('data', () => resolve('kept'));
      client.on('close', () => resolve('closed'));
    });
    client.write('GET /berth?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n');
    outcomes.push(await outcome);
  }
  expect(outcomes).toEqual([...Array<string>(8).fill('kept'), ...Array<string>(4).fill('closed')]);
  expect(await command.metric(/^svc_http_refused_total\{reason="server-max-connections"\}/u)).toBe(4);
  for (const client of clients) client.destroy();
  await end(command);
});

test('a killed worker fails only its own requests, and is replaced', async () => {
  const command = await start({ 'log-level': 'crit' });
  const [first] = await command.workers();
  const hold = await harbor.hold();
  const answers: Promise<number | string>[] = [];
  for (let sent = 0; sent < 8; sent += 1) {
    answers.push(command.ask('/rpc/wait', post({})));
    await hold.waiting(sent + 1);
  }
  process.kill(first?.pid ?? 0, 'SIGKILL');
  await command.process.logged(/: Worker 1 \(process \d+\) ended with signal SIGKILL\. A new worker starts now$/mu);
  // No request is rejected in the meantime.
  expect(await command.ask('/berth')).toBe(200);
  await command.process.logged(/: Worker 1 is replaced \(process \d+\)$/mu);
  await hold.release();
  const outcomes = await Promise.all(answers);
  expect([200, 'ECONNRESET'].map((kind) => outcomes.filter((outcome) => outcome === kind).length)).toEqual([4, 4]);
  await until(async () => (await command.admin('/ready')).status === 200);
  const workers = await command.workers();
  expect(workers.map(({ isReady }) => isReady)).toEqual([true, true]);
  expect(workers[0]?.pid).not.toBe(first?.pid);
  // The new worker knows the schema although nobody read it again.
  for (let index = 0; index < 4; index += 1) expect(await command.ask('/berth')).toBe(200);
  expect(await command.metric(/^svc_schema_cache_loads_total/u)).toBe(1);
  expect(await end(command)).toBe(0);
});

test('under load only requests of the killed worker fail, even for clients that connect for each request', async () => {
  const command = await start();
  const load = { isOver: false };
  const failures: (number | string)[] = [];
  let answered = 0;
  const clients = Array.from({ length: 8 }, async () => {
    while (!load.isOver) {
      const outcome = await command.ask('/berth?limit=1');
      if (outcome === 200) answered += 1;
      else failures.push(outcome);
    }
  });
  for (let kill = 0; kill < 2; kill += 1) {
    const before = answered;
    await until(() => answered > before + 50);
    const [worker] = await command.workers();
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await until(() => command.count(/Worker 1 is replaced/u) === kill + 1);
  }
  const before = answered;
  await until(() => answered > before + 50);
  load.isOver = true;
  await Promise.all(clients);
  // A client has one request at a time, so each kill affects at most all of them.
  expect(failures.length).toBeLessThanOrEqual(2 * clients.length);
  expect(failures.filter((outcome) => outcome !== 'ECONNRESET')).toEqual([]);
  expect(await end(command)).toBe(0);
});

test('a worker that dies repeatedly is replaced after a pause, and /ready reports it', async () => {
  const command = await start();
  const kill = async (): Promise<void> => {
    const worker = await until(async () =>
      (await command.workers()).find(({ isReady }, index) => index === 1 && isReady),
    );
    process.kill(worker.pid, 'SIGKILL');
  };
  await kill();
  await command.process.logged(/: Worker 2 \(process \d+\) ended with signal SIGKILL\. A new worker starts now$/mu);
  await command.process.logged(/: Worker 2 is replaced/mu);
  await kill();
  await command.process.logged(
    /: Worker 2 \(process \d+\) ended with signal SIGKILL\. A new worker starts in 1 seconds$/mu,
  );
  expect((await command.admin('/ready')).status).toBe(503);
  expect((await command.admin('/live')).status).toBe(200);
  expect((await command.status()).problems).toEqual(['Worker 2 is being started.']);
  await until(async () => (await command.admin('/ready')).status === 200);
  expect(await end(command)).toBe(0);
});

test('workers that cannot start end the command', async () => {
  const crash = path.join(folder, 'crash.cjs');
  await writeFile(crash, `if (process.argv[1].endsWith('worker.js')) process.exit(7);`);
  const { code, stderr } = await runProgram([], {
    options: { 'db-uri': harbor.uri, 'db-schemas': 'api', 'server-workers': 2, 'server-port': await findFreePort() },
    environment: { NODE_OPTIONS: `--require ${crash}` },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/: Workers cannot be started: the last one ended with exit code 7\n$/u);
  expect(stderr).not.toMatch(/API server listening/u);
});

test.each(['0', 'many', '1.5', '257'])('server-workers = %s is rejected', async (value) => {
  const { code, stderr } = await runProgram([], { options: { 'db-uri': harbor.uri, 'server-workers': value } });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Error in config Invalid server-workers: needs to be auto, or a whole number from 1 to 256, not ${JSON.stringify(value)}.\n`,
  );
});

test.each([null, 'auto'])(
  'server-workers = %s starts as many workers as cores and pool allow, and says why',
  async (value) => {
    const [cores, pool] = [findCores(), 4];
    const count = countWorkers(cores, pool);
    const command = await start({ 'server-workers': value, 'db-pool': pool });
    expect((await command.workers()).length).toBe(count === 1 ? 0 : count);
    const who = count === 1 ? 'this process' : `${count} workers`;
    const why = `half of the cores, ${cores}, and at most a third of db-pool, ${pool}`;
    expect(command.process.stderr()).toContain(`Requests are answered by ${who} (server-workers = auto: ${why})\n`);
    await end(command);
  },
);

test('a program that calls startServer stays one process', async () => {
  const lines: string[] = [];
  const write = (line: string): number => lines.push(line);
  const server = await startServer({
    options: { dbUri: harbor.uri, dbSchemas: ['api'], dbAnonRole: harbor.anon, serverHost: '127.0.0.1', serverPort: 0 },
    environment: {},
    output: { writeOut: write, writeError: write },
  });
  await server.stop();
  expect(lines.filter((line) => /server-workers|workers:/u.test(line))).toEqual([]);
});

test('a reloaded schema is used by all workers by the time the log reports it', async () => {
  const command = await start();
  const ask = (): Promise<readonly (number | string)[]> =>
    Promise.all(Array.from({ length: 8 }, () => command.ask('/later')));
  expect(new Set(await ask())).toEqual(new Set([404]));
  await harbor.sql(`create table api.later (id int); grant select on api.later to ${harbor.anon}`);
  command.process.signal('SIGUSR1');
  await until(() => command.count(/Schema cache loaded in/u) === 2);
  expect(new Set(await ask())).toEqual(new Set([200]));
  await harbor.sql(`drop table api.later; notify svc, 'reload schema'`);
  await until(() => command.count(/Schema cache loaded in/u) === 3);
  expect(new Set(await ask())).toEqual(new Set([404]));
  await end(command);
});

test('a reloaded configuration is used by all workers by the time the log reports it', async () => {
  const file = path.join(folder, 'workers.conf');
  await writeFile(file, 'db-max-rows = 3\ndb-config = false\n');
  const command = await start({}, file);
  const rows = async (): Promise<readonly number[]> =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await sendRequest({ host: '127.0.0.1', port: command.port, path: '/berth' });
        return (JSON.parse(answer.text) as unknown[]).length;
      }),
    );
  expect(new Set(await rows())).toEqual(new Set([3]));
  for (const [index, ask] of [
    () => Promise.resolve(command.process.signal('SIGUSR2')),
    () => harbor.sql(`notify svc, 'reload config'`),
    () => Promise.resolve(command.process.signal('SIGHUP')),
  ].entries()) {
    const wanted = 1 + (index % 2);
    await writeFile(file, `db-max-rows = ${wanted}\ndb-config = false\n`);
    await ask();
    await until(() => command.count(/Config reloaded/u) === index + 1);
    expect(new Set(await rows())).toEqual(new Set([wanted]));
  }
  await end(command);
});

test('requests and durations are summed, and no sum decreases when a worker ends', async () => {
  const command = await start();
  for (let index = 0; index < 30; index += 1) await command.ask('/berth?limit=1');
  for (let index = 0; index < 7; index += 1) await command.ask('/gone');
  const sums = async (): Promise<readonly number[]> => [
    await command.metric(/^svc_http_requests_total\{/u),
    await command.metric(/^svc_http_request_duration_seconds_count\{/u),
    await command.metric(/^svc_http_requests_total\{.*status="404"\}/u),
    (await command.status()).requests.answered,
    (await command.status()).errors.find(({ code }) => code === 'SVC205')?.count ?? 0,
  ];
  expect(await sums()).toEqual([37, 37, 7, 37, 7]);
  const [worker] = await command.workers();
  process.kill(worker?.pid ?? 0, 'SIGKILL');
  await command.process.logged(/Worker 1 is replaced/u);
  expect(await sums()).toEqual([37, 37, 7, 37, 7]);
  expect(await command.metric(/^svc_db_pool_max /u)).toBe(10);
  await end(command);
});

test('workers end with the process that started them', async () => {
  const command = await start();
  const pids = (await command.workers()).map(({ pid }) => pid);
  command.process.kill();
  await command.process.ended();
  await until(() => pids.every((pid) => !isAlive(pid)));
});

test('a second signal ends all of them immediately', async () => {
  const command = await start();
  const pids = (await command.workers()).map(({ pid }) => pid);
  const hold = await harbor.hold();
  const answer = command.ask('/rpc/wait', post({}));
  await hold.waiting(1);
  command.process.signal('SIGTERM');
  await command.process.logged(/Received termination unix signal SIGTERM/u);
  // A signal within half a second counts as a repetition of the first.
  const ended = command.process.ended();
  await until(async () => {
    command.process.signal('SIGTERM');
    return pids.every((pid) => !isAlive(pid));
  });
  expect(await ended).toBe(143);
  expect(await answer).toBe('ECONNRESET');
  await hold.release();
});

test('workers ignore signals, since process managers may send them to every process', async () => {
  const command = await start();
  const [worker] = await command.workers();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.kill(worker?.pid ?? 0, signal);
  for (let index = 0; index < 4; index += 1) expect(await command.ask('/berth')).toBe(200);
  expect((await command.workers())[0]?.pid).toBe(worker?.pid);
  expect(await end(command)).toBe(0);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a suspended worker gets at most one connection, the admin server reports it, and waiting requests are answered when it resumes', async () => {
  const command = await start();
  const pid = (await command.workers())[0]?.pid ?? 0;
  let answered = 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const asked = Array.from({ length: 6 }, async () => {
      const status = await command.ask('/berth');
      answered += 1;
      return status;
    });
    await until(() => answered >= 5);
    expect((await command.admin('/ready')).status).toBe(503);
    expect((await command.status()).problems).toEqual(['Worker 1 does not respond.']);
    process.kill(pid, 'SIGCONT');
    expect(await Promise.all(asked)).toEqual([200, 200, 200, 200, 200, 200]);
    await until(async () => (await command.admin('/ready')).status === 200);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});
