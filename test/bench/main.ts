// `npm run bench`: measures the built server under load, next to pgbench running the same SQL, a hand-written endpoint
// and, if wanted, another build or another server; with `--stages`, the pure stages.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { asksForRows, CASES, LARGE_CASES, type BenchCase } from './bench-case.ts';
import { buildCommit } from './commit-build.ts';
import { describeMachine } from './describe-machine.ts';
import { findSlower } from './guard.ts';
import { type Measured, measure } from './measure.ts';
import { renderReport } from './report.ts';
import { measureStages } from './stages.ts';
import { findWrk } from './load/wrk.ts';
import { readVariables } from './servers/bench-server.ts';

const USAGE = `npm run bench -- [options]
  --rounds N      measurements of each process per case; the median counts (default 5)
  --seconds N     length of each measurement (default 2)
  --processes N   processes of each build, which take turns (default 3)
  --case TEXT     only the cases whose name contains the text; repeatable
  --connections LIST
                  numbers of kept-alive connections, measured one after another: 1,16,64,256 (default 16)
  --base FOLDER   a built checkout to compare with
  --against COMMIT
                  build this commit and compare with it; fails if a case needs more CPU time in every process
  --beside 'COMMAND {config}'
                  another server of the grammar, started with a configuration file; without a shell
  --open          measure latencies in an open loop as well, at 60 % of the rate that the slowest server reached
  --large ROWS    add cases of a large table with policies (10000000 rows; it takes a minute to create)
  --database URI  create the database in this PostgreSQL on this machine, as a superuser, instead of a private one
  --write FILE    write the report to this file, too
  --socket        connect to the database over a Unix socket, the base over TCP
  --set NAME=VALUE
                  an environment variable of the server, not of its base; repeatable
  --own-load      send requests from a process of the benchmark, even if wrk is installed
  --stages        measure the stages of a request one by one, without a database
  --profile DIR   write a CPU profile of the server to this folder
Cases: ${CASES.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    processes: { type: 'string', default: '3' },
    case: { type: 'string', multiple: true, default: [''] },
    connections: { type: 'string', default: '16' },
    base: { type: 'string' },
    against: { type: 'string' },
    beside: { type: 'string' },
    open: { type: 'boolean', default: false },
    large: { type: 'string' },
    database: { type: 'string' },
    write: { type: 'string' },
    socket: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
    'own-load': { type: 'boolean', default: false },
    stages: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function chooseCases(texts: readonly string[]): readonly BenchCase[] {
  const cases = values.large === undefined ? CASES : [...CASES, ...LARGE_CASES];
  return cases.filter(({ name }) => texts.some((text) => name.includes(text)));
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`expected a number of at least 1, not ${text}`);
  return count;
}

async function measureCases(baseFolder: string | undefined): Promise<Measured> {
  return measure({
    cases: chooseCases(values.case),
    connections: values.connections.split(',').map(readCount),
    rounds: readCount(values.rounds),
    seconds: readCount(values.seconds),
    profileFolder: values.profile,
    baseFolder,
    processes: readCount(values.processes),
    besideCommand: values.beside,
    isOpen: values.open,
    clusterUri: values.database,
    largeRows: values.large === undefined ? undefined : readCount(values.large),
    isOverSocket: values.socket,
    wrk: values['own-load'] ? undefined : findWrk(),
    environment: readVariables(values.set),
  });
}

async function measureAgainst(commit: string): Promise<Measured> {
  const base = buildCommit(commit);
  try {
    return await measureCases(base.folder);
  } finally {
    base.remove();
  }
}

async function run(): Promise<string> {
  if (values.stages) return measureStages(chooseCases(values.case).filter(asksForRows), readCount(values.rounds));
  const { against, base, write } = values;
  if (against !== undefined && base !== undefined) throw new Error('--against and --base exclude each other');
  const measured = await (against === undefined ? measureCases(base) : measureAgainst(against));
  const report = `${describeMachine(measured.databaseVersion)}\n${renderReport(measured)}`;
  if (write !== undefined) writeFileSync(write, report);
  const slower = against === undefined ? [] : findSlower(measured.measurements);
  if (slower.length > 0) process.exitCode = 1;
  return [report, ...slower.map((line) => `${line}\n`)].join('');
}

process.stdout.write(values.help ? USAGE : await run());
