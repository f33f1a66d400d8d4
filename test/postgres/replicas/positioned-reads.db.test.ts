// Many clients write and read their own writes over two lagging replicas, one of which crashes and comes back with less
// data: no read returns data older than its position. `ROWHOUSE_READS` sets the number of reads, `ROWHOUSE_SEED` the
// seed.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LogPosition } from '../../../src/contract/log-position.ts';
import { BATCH_TIMES } from '../../../src/extensions/shared-reads/batch-rules.ts';
import { connect } from '../../../src/postgres/session/open-session.ts';
import { Pool } from '../../../src/postgres/pool/pool.ts';
import { ReadDispatcher } from '../../../src/extensions/shared-reads/read-dispatcher.ts';
import { LOG_END, readLogEnd } from '../../../src/sql/log-end.ts';
import { ReplicaSet, type ReplicaSetOptions } from '../../../src/extensions/replicas/replica-set.ts';
import { COST_LIMITS, StatementCosts } from '../../../src/extensions/shared-reads/statement-costs.ts';
import { joinConnections } from '../../../src/service/database/create-pool.ts';
import { Random } from '../../support/generate/random.ts';
import { until } from '../../support/until.ts';
import { type Member, ReplicatedCluster } from '../../support/replicated-cluster.ts';
import { bodyOf, connectOptions, outcomeOf } from '../support/connect-test.ts';
import { mainStatement, readScript, writeScript } from '../support/scripts.ts';

const READS = Number(process.env['ROWHOUSE_READS'] ?? 2000);
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
const CLIENTS = 64;
/** Number of reads between two crashes. */
const PAUSE_MS = 3000;

const FIXTURE = `
  create table counter (client int primary key, n int not null);
  insert into counter select client, 0 from generate_series(0, ${CLIENTS - 1}) client;
`;
const LAGS = ['15ms', '60ms'];
/** Long enough for the first replica, but not for the second one. */
const WAIT_MS = 40;

function poolOf(uri: string): Pick<ReplicaSetOptions['replicas'][number], 'server' | 'connect'> {
  const acquisitionTimeoutMs = 60_000;
  const open = (): ReturnType<typeof connect> => connect(connectOptions(uri));
  const limits = { maxConnections: 4, acquisitionTimeoutMs, maxIdleTimeMs: 60_000, maxLifetimeMs: 600_000 };
  const pool = new Pool({ ...limits, connect: open, onEvent: undefined });
  const costs = new StatementCosts(COST_LIMITS);
  const runner = new ReadDispatcher({ pool, acquisitionTimeoutMs, costs, times: BATCH_TIMES });
  return { connect: open, server: joinConnections(pool, runner) };
}

async function increment(set: ReplicaSet, client: number): Promise<{ readonly n: string; readonly at: LogPosition }> {
  const text = `with s as (update counter set n = n + 1 where client = $1 returning n) select 1, null::bigint, null::text, null::text, n::text from s`;
  const main = { ...mainStatement('', [String(client)]), text };
  const reply = await set.runScript(writeScript(main, { afterCommit: LOG_END }));
  const position = readLogEnd(outcomeOf(reply).afterCommit ?? []);
  if (position === undefined) throw new Error('a write without a position');
  return { n: bodyOf(reply) ?? '', at: position };
}

test(`${READS} reads over two lagging replicas are never older than their positions (seed ${SEED})`, async () => {
  const lags = LAGS.map((lag) => ({ recovery_min_apply_delay: lag }));
  const cluster = await ReplicatedCluster.start(FIXTURE, lags);
  const crashing = cluster.replicas[0] as Member;
  const primary = poolOf(cluster.primary.uri);
  const set = new ReplicaSet({
    primary: primary.server,
    connect: primary.connect,
    replicas: cluster.replicas.map(({ uri, port }) => ({ name: String(port), ...poolOf(uri) })),
    maxLagMs: 10_000,
    waitMs: WAIT_MS,
    onChange: () => undefined,
  });
  set.start();
  const serving = (): number => set.replicaStatistics.replicas.filter(({ isServing }) => isServing).length;
  await until(() => serving() === 2);

  let next = 0;
  const older: string[] = [];
  const client = async (number: number, random: Random): Promise<void> => {
    let written = await increment(set, number);
    while (next < READS) {
      next += 1;
      if (random.chance(0.05)) written = await increment(set, number);
      const main = mainStatement(`(select n::text from counter where client = $1)`, [String(number)]);
      const reply = await set.runScript(readScript(main, { freshness: written.at }));
      const found = bodyOf(reply);
      if (found !== written.n) older.push(`client ${number} wrote ${written.n} and read ${found}`);
    }
  };
  const over = new AbortController();
  const disturb = async (): Promise<void> => {
    do {
      await crashing.kill();
      await crashing.start();
      await sleep(PAUSE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    } while (!over.signal.aborted);
  };

  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number, new Random(SEED + number)));
  const disturbing = disturb();
  await Promise.all(clients).finally(() => over.abort());
  await disturbing;
  await until(() => serving() === 2);
  const { primaryReads, replicas } = set.replicaStatistics;
  // Figures for the log of a long run.
  if (READS > 10_000)
    console.log(
      `${READS} reads, seed ${SEED}: ${primaryReads} of the primary, ${replicas.map(({ reads }) => reads).join(' and ')} of replicas`,
    );
  expect(older).toEqual([]);
  for (const { reads } of replicas) expect(reads).toBeGreaterThan(0);
  await set.close();
  await primary.server.close();
  await cluster.stop();
}, 7_200_000);
