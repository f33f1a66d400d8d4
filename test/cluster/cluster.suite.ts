// Servers, processes and network links fail while clients write and read; afterwards the responses are compared with
// the table. Run by scripts/test-cluster.js.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import type { DatabaseNode } from './database-node.ts';
import { Experiment } from './experiment.ts';
import { killAll } from './program.ts';
import { WRITERS } from './load.ts';
import { report, type Row } from './report.ts';
import { LOGS, Stage } from './stage.ts';
import { use } from '../support/use.ts';

const KILLED_LEADERS = 5;
/** In milliseconds. */
const UNTIL_WRITES = 2000;
const UNTIL_WORKER = 1000;

/**
 * Errors allowed while there is no leader: writes, and reads with a position that no replica has reached. Other reads
 * succeed.
 */
const WITHOUT_LEADER = /^(?:write|positioned read) (?:503 (?:SVC000|SVC001|SVC004|57P01|57P02|57P03)|504 SVC003)$/u;

const rows: Row[] = [];

const stage = await use(Stage.open(process.env['ROWHOUSE_CLUSTER_FOLDER'] ?? ''));
afterAll(async () => {
  report(rows, path.join(LOGS, 'table.md'));
});

/** Checks the invariants that hold after any event. @returns the row of the report */
async function conclude(experiment: Experiment): Promise<Row> {
  const row = await experiment.conclude();
  rows.push(row);
  console.log(JSON.stringify(row));
  const { lost, doubled, untrue, stale } = row.tally;
  expect({ lost, doubled, untrue, stale }).toEqual({ lost: [], doubled: [], untrue: [], stale: [] });
  return row;
}

async function expectNewLeader(experiment: Experiment): Promise<void> {
  const row = await conclude(experiment);
  expect(row.writesAfter).toBeLessThan(UNTIL_WRITES);
  expect(othersThan(row, WITHOUT_LEADER)).toEqual([]);
}

/** Returns the kinds of errors that the pattern does not allow. */
function othersThan(row: Row, kinds: RegExp): readonly string[] {
  return Object.keys(row.tally.errors).filter((name) => !kinds.test(name));
}

function countErrors({ tally }: Row): number {
  return Object.values(tally.errors).reduce((sum, count) => sum + count, 0);
}

describe('the leader', () => {
  test.for(Array.from({ length: KILLED_LEADERS }, (_, index) => index + 1))('is killed: %i', async (number) => {
    const former = stage.leader;
    const experiment = await Experiment.begin(stage, `Leader killed, ${number}`);
    await former.kill();
    await experiment.seesNewLeader().finally(() => former.revive());
    await expectNewLeader(experiment);
  });

  test('hands over to a replica', async () => {
    const candidate = await stage.memberWithRole('sync_standby');
    const experiment = await Experiment.begin(stage, 'Leader hands over');
    await stage.leader.handOver(candidate);
    await experiment.seesNewLeader();
    await expectNewLeader(experiment);
  });

  test('is cut off from the network', async () => {
    const former = stage.leader;
    const experiment = await Experiment.begin(stage, `Leader cut off, ${former.name}`);
    former.machine.cut();
    await experiment.seesNewLeader().finally(() => former.machine.mend());
    await expectNewLeader(experiment);
  });
});

describe('a replica', () => {
  test.for(['sync_standby', 'replica'] as const)('is killed: %s', async (role) => {
    const node: DatabaseNode = await stage.memberWithRole(role);
    const experiment = await Experiment.begin(stage, `Replica killed, ${role}`);
    await node.kill();
    await stage.load.writes(200).finally(() => node.revive());
    expect(othersThan(await conclude(experiment), /^$/u)).toEqual([]);
  });

  test.for(['sync_standby', 'replica'] as const)('is cut off: %s', async (role) => {
    const node: DatabaseNode = await stage.memberWithRole(role);
    const experiment = await Experiment.begin(stage, `Replica cut off, ${role}`);
    node.machine.cut();
    await stage.load.writes(200).finally(() => node.machine.mend());
    expect(othersThan(await conclude(experiment), /^$/u)).toEqual([]);
  });
});

describe('an instance', () => {
  test('is killed', async () => {
    const [instance] = stage.instances;
    const experiment = await Experiment.begin(stage, 'Instance killed');
    await instance!.end('SIGKILL');
    await stage.load.writes(200).finally(() => instance!.revive());
    const row = await conclude(experiment);
    // The outcome of writes in flight on the instance is unknown.
    expect(othersThan(row, /^write 502$/u)).toEqual([]);
    expect(countErrors(row)).toBeLessThanOrEqual(WRITERS);
  });

  test('is stopped and restarted', async () => {
    const [instance] = stage.instances;
    const experiment = await Experiment.begin(stage, 'Instance restarted');
    await instance!.end('SIGTERM');
    instance!.revive();
    const row = await conclude(experiment);
    expect(othersThan(row, /^$/u)).toEqual([]);
  });

  test('loses a worker', async () => {
    const [instance] = stage.instances;
    const before = instance!.workers;
    const experiment = await Experiment.begin(stage, 'Worker killed');
    killAll(before.slice(0, 1));
    await sleep(1);
    await until(async () => (await instance!.isReady()) && instance!.workers.some((pid) => !before.includes(pid)));
    experiment.noteReplacement();
    const row = await conclude(experiment);
    expect(row.replacedAfter).toBeLessThan(UNTIL_WORKER);
    expect(othersThan(row, /^write 502$/u)).toEqual([]);
    expect(countErrors(row)).toBeLessThanOrEqual(WRITERS);
  });
});
