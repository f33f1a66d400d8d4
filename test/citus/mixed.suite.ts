// Mixed requests of tenants whose rows policies keep apart, while workers crash: no tenant sees or changes rows of another,
// and each transaction is there as a whole or not at all. ROWHOUSE_FUZZ_COUNT and ROWHOUSE_SEED choose the requests.
import { expect, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { type Answer, bearer, type LocalServer, startLocalServer } from '../support/local-server.ts';
import { Random } from '../support/generate/random.ts';
import type { Member } from '../support/replicated-cluster.ts';
import { until } from '../support/until.ts';
import { CitusCluster } from './citus-cluster.ts';
import { createTenants, loginUri, runStatements } from './citus-database.ts';
import { FOREIGN, FOREIGN_NUMBER, type MixedRequest, mixedRequest, TENANTS } from './mixed-requests.ts';
import { use } from '../support/use.ts';

const COUNT = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 300);
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
const CLIENTS = 6;
/** A worker crashes after so many requests, and starts again after a third of them. */
const CRASH_EVERY = 100;

const OWN = "tenant_id = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'tenant_id')::int";

const SETUP = `
${['project', 'counter', 'visit', 'tenant']
  .map(
    (table) => `alter table api.${table} enable row level security; create policy own on api.${table} using (${OWN});`,
  )
  .join('\n')}
create schema hooks;
grant usage on schema hooks to public;
create function hooks.add_header() returns void language plpgsql as $$
begin
  perform set_config('response.headers', json_build_array(json_build_object('x-tenant',
    current_setting('request.jwt.claims', true)::json ->> 'tenant_id'))::text, true);
end $$;
update api.task set points = 0 where task_id <= 2;
insert into api.visit select 1000 + i, i, 'first' from generate_series(1, ${TENANTS}) as i;`;

// The other suites need their workers, and an acknowledged commit must outlive a crash.
const cluster = await use(CitusCluster.start({ synchronous_commit: 'on' }));
const database = await createTenants(cluster.nodes.map(({ uri }) => uri));
await runStatements(database.uri, SETUP);
const login = { uri: loginUri(database.uri), anon: 'web_anon' };
const options = { 'db-pool': 4, 'db-aggregates-enabled': true };
const usual = await use(startLocalServer(login, options));
/** Adds the tenant to conditions, and its header to responses. */
const narrowed = await use(
  startLocalServer(login, {
    ...options,
    'db-shard-claim': 'tenant_id',
    'db-pre-request': 'hooks.add_header',
  }),
);

const LIST: MixedRequest = { tenant: 1, marker: '', method: 'GET', path: '/task?select=tenant_id', marked: 0 };

interface Sent {
  readonly request: MixedRequest;
  /** Undefined: the connection ended before the response did. */
  readonly answer: Answer | undefined;
}

test('tenants stay apart and transactions whole while workers crash', { timeout: 3_600_000 }, async () => {
  const sent: Sent[] = [];
  const faults: string[] = [];
  let next = 0;
  const client = async (_: unknown, number: number): Promise<void> => {
    for (let index = next++; index < COUNT; index = next++) {
      // While a worker starts, most requests fail, and one client sends enough of them.
      if (number > 0) await starting;
      const request = mixedRequest(new Random(SEED * 1_000_003 + index), index);
      const server = index % 2 === 0 ? usual : narrowed;
      const one = { request, answer: await send(server, request) };
      sent.push(one);
      const fault = findFault(one, server);
      if (fault !== undefined) faults.push(`${index}: ${fault}: ${JSON.stringify(one)}`);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const crashes = await crashWorkers(() => sent.length);
  await clients;

  const statuses = new Map<string, number>();
  for (const { answer } of sent) {
    const status = answer === undefined || answer.status < 400 ? answer?.status : codeOf(answer);
    statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
  }
  console.log(`seed ${SEED}: ${sent.length} requests, ${crashes} crashes:`, Object.fromEntries(statuses));
  expect(faults).toEqual([]);
  await expectWhole(sent);
  for (const server of [usual, narrowed]) {
    expect(server.fatal).toBeUndefined();
    await until(async () => (await send(server, LIST))?.status === 200);
  }
});

let starting: Promise<void> | undefined;

/** @returns how often a worker crashed */
async function crashWorkers(progress: () => number): Promise<number> {
  let crashes = 0;
  for (let at = CRASH_EVERY / 2; at < COUNT; at += CRASH_EVERY) {
    await until(() => progress() >= Math.min(at, COUNT), { seconds: 600 });
    const worker = cluster.workers[crashes % cluster.workers.length] as Member;
    await worker.kill();
    crashes += 1;
    await until(() => progress() >= Math.min(at + CRASH_EVERY / 3, COUNT), { seconds: 600 });
    starting = worker.start();
    await starting;
  }
  return crashes;
}

async function send(
  server: LocalServer,
  { tenant, method, path, body, headers }: MixedRequest,
): Promise<Answer | undefined> {
  const own = { ...bearer({ role: 'app_user', tenant_id: tenant }), 'Content-Type': 'application/json', ...headers };
  const parts = { method, headers: own, ...(body !== undefined && { body: JSON.stringify(body) }) };
  try {
    return await server.get(path, parts);
  } catch {
    return undefined;
  }
}

/** Returns what is wrong with a response. */
function findFault({ request, answer }: Sent, server: LocalServer): string | undefined {
  const isStream = request.headers?.['Accept'] === 'application/x-ndjson';
  if (answer === undefined) return isStream ? undefined : 'no response';
  const { status, text, headers } = answer;
  if (status >= 400) return findBadError(text, status, request);
  if (request.must === 'refused') return 'not refused';
  if (server === narrowed && headers['x-tenant'] !== String(request.tenant) && request.path !== '/') return 'no header';
  const values = isStream ? text.split('\n').slice(0, -1) : [text];
  const tenants = values.filter((each) => each !== '').flatMap((each) => listTenants(JSON.parse(each)));
  return tenants.every((tenant) => tenant === request.tenant) ? undefined : 'a row of another tenant';
}

function findBadError(text: string, status: number, { must }: MixedRequest): string | undefined {
  const error = parse(text);
  if (typeof error?.['code'] !== 'string' || typeof error['message'] !== 'string') return 'no error in JSON';
  if (/127\.0\.0\.1|shard \d/u.test(text)) return 'the name of a shard or node';
  return status < 500 && must === undefined ? 'refused' : undefined;
}

function codeOf({ status, text }: Answer): string {
  return `${status} ${String(parse(text)?.['code'])}`;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** Lists the tenants of all rows, however deep; those of a spread are arrays. */
function listTenants(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'tenant_id' ? [member as unknown].flat() : listTenants(member),
  );
}

/** Rows by the marker of the request that has inserted them. */
const MARKED = `
with texts (text) as (
  select body from api.note union all select page from api.visit union all select text from api.comment
  union all select name from api.project union all select title from api.task
)
select split_part(text, '.', 1) as marker, count(*)::int as rows from texts where text ~ '^m[0-9]' group by 1`;

const FOREIGN_ROWS = `
select
  (select count(*) from api.note where body like '${FOREIGN}%')::int + (select count(*) from api.visit where page like '${FOREIGN}%')
  + (select count(*) from api.comment where text like '${FOREIGN}%') + (select count(*) from api.project where name like '${FOREIGN}%')
  + (select count(*) from api.task where title like '${FOREIGN}%' or points = ${FOREIGN_NUMBER})
  + (select count(*) from api.counter where n = ${FOREIGN_NUMBER})
  + (select count(*) from api.visit where visit_id between 1001 and 1020 and visit_id <> 1000 + tenant_id) as rows`;

/** Tenants whose first two tasks, which one statement writes, differ. */
const UNEQUAL = `
select tenant_id from api.task where task_id <= 2 group by tenant_id
having count(distinct points) <> 1`;

interface Marked {
  readonly marker: string;
  readonly rows: number;
}

async function expectWhole(sent: readonly Sent[]): Promise<void> {
  await withConnection(database.uri, async (client) => {
    const query = async (text: string): Promise<unknown> => (await client.query(text)).rows;
    // What a crash has left prepared is decided by its coordinator, each minute or now.
    await until(async () => {
      await query('select recover_prepared_transactions()');
      const left = await query(`select result from run_command_on_workers('select count(*) from pg_prepared_xacts')`);
      return JSON.stringify(left) === JSON.stringify(cluster.workers.map(() => ({ result: '0' })));
    });
    const marked = (await query(MARKED)) as readonly Marked[];
    const rows = new Map(marked.map((each) => [each.marker, each.rows]));
    const halves = sent.filter(({ request, answer }) => {
      const found = rows.get(request.marker) ?? 0;
      if (answer === undefined || answer.status >= 500) return found !== 0 && found !== request.marked;
      return found !== (answer.status < 400 ? request.marked : 0);
    });
    expect(halves).toEqual([]);
    expect(await query(FOREIGN_ROWS)).toEqual([{ rows: '0' }]);
    expect(await query('select count(*)::int as rows from api.task where task_id <= 40')).toEqual([
      { rows: TENANTS * 40 },
    ]);
    expect(await query('select count(*)::int as rows from api.comment where comment_id <= 10')).toEqual([
      { rows: TENANTS * 10 },
    ]);
    expect(await query(UNEQUAL)).toEqual([]);
  });
}
