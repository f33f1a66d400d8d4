// Saves of a project under a load of reads and writes, with live rows open (`project.md` §2 item 8). They are opened when the
// files have just run: the log must not wait for the transaction of the shadow.
import { expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { isLong } from '../../support/long-form.ts';
import { until } from '../../support/until.ts';
import { useFolders } from './folder.ts';
import { type StartedDev, useDev } from './started-dev.ts';

/** One of each kind, or many. */
const SAVES = isLong ? 500 : 5;
const TASKS = 'schema/tasks.sql';
const VIEW = 'schema/view.sql';
const POLICY = 'schema/policy.sql';

const tasks = (more: string): string =>
  `create table api.tasks (id int generated always as identity primary key, task text${more});
alter table api.tasks enable row level security;
grant select, insert on api.tasks to web;`;
const policy = (round: number): string => `create policy everybody on api.tasks using (id > -${round + 1});`;

/** The files of one save: a column that comes and goes, a view, a policy, a function, a table of its own. */
function filesOf(round: number): Readonly<Record<string, string>> {
  const all: readonly Readonly<Record<string, string>>[] = [
    { [TASKS]: tasks(Math.floor(round / 5) % 2 === 1 ? ', done boolean' : '') },
    { [VIEW]: `create view api.open as select id as n${round}, id from api.tasks; grant select on api.open to web;` },
    { [POLICY]: policy(round) },
    { 'schema/f.sql': `create function api.f() returns int language sql stable as 'select ${round}';` },
    { 'schema/extra.sql': `create table api.extra${round} (id int);` },
  ];
  return all[round % all.length] ?? {};
}

const folder = useFolders()({
  'roles.sql': 'create role web nologin;',
  'rowhouse.conf': 'db-anon-role = "web"\n',
  'schema/a.sql': 'create schema api; grant usage on schema api to web;',
  [TASKS]: tasks(''),
  [POLICY]: policy(0),
  'schema/view.sql': 'create view api.open as select id from api.tasks; grant select on api.open to web;',
  'schema/f.sql': `create function api.f() returns int language sql stable as 'select 0';`,
});
const start = useDev();

interface Load {
  /** Status and body of each request that failed. */
  readonly failures: string[];
  count: number;
}

/** Sends one request after the other until the signal aborts. */
async function keepAsking(
  request: () => ReturnType<StartedDev['get']>,
  { signal, load }: { readonly signal: AbortSignal; readonly load: Load },
): Promise<void> {
  while (!signal.aborted) {
    const { status, text } = await request();
    load.count += 1;
    if (status >= 300) load.failures.push(`${status} ${text}`);
  }
}

test(`P13 no request fails during ${SAVES} saves, and live rows go on`, { timeout: 900_000 }, async () => {
  const dev = await start(folder);
  const streams: EventClient[] = [];
  for (const url of ['/tasks?order=id.desc&limit=3', '/tasks?select=id,task&order=id.desc&limit=2'])
    streams.push(await openEvents(dev.port, url));
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  await Promise.all(streams.map((stream) => stream.first(1)));
  const ending = new AbortController();
  const load: Load = { failures: [], count: 0 };
  const requests = [
    () => dev.get('/tasks?select=id,task&order=id.desc&limit=3'),
    () => dev.get('/tasks?order=id.desc&limit=2'),
    () => dev.get('/open?select=id&limit=1'),
    () => dev.get('/rpc/f'),
    () => dev.post('/tasks', '{"task":"more"}'),
    () => dev.post('/tasks?select=id', '{"task":"more"}'),
  ];
  const clients = requests.map((request) => keepAsking(request, { signal: ending.signal, load }));
  try {
    for (let round = 1; round <= SAVES; round += 1)
      expect(await dev.save(filesOf(round))).toMatch(/^schema\/\w+\.sql: .+, \d+\.\d\d s\n/mu);
  } finally {
    ending.abort();
    await Promise.all(clients);
  }
  expect(load.failures).toEqual([]);
  expect(load.count).toBeGreaterThan(SAVES);
  const { status } = await dev.post('/tasks', '{"task":"the last one"}');
  expect(status).toBe(201);
  for (const stream of streams) {
    await until(() => stream.events.some(({ data }) => data.includes('the last one')), { why: () => stream.text });
    expect([stream.events.some(({ name }) => name === 'error'), stream.end]).toEqual([false, undefined]);
  }
});
