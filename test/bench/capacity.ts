// `npm run bench -- capacity`: compares measurements of one and of two workers with the predictions of a queueing model.
// The model is fitted to CPU times of one worker with few and with many clients only. Then it predicts what larger
// machines do with one process and with `server-workers = auto`.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { countWorkers } from '../../src/workers/count-workers.ts';
import { calibrate, type Calibration } from './capacity/calibrate.ts';
import { type Costs, type Setup, simulate } from './capacity/closed-loop.ts';
import { measureSetups, type MeasuredSetup } from './capacity/measure-setups.ts';
import { median, renderTable } from './report.ts';

const USAGE = `npm run bench -- capacity [options]
  --connections LIST  numbers of kept-alive connections, measured one after another; the model is fitted to the
                      first and the last with one worker (default 4,16,32,64)
  --rounds N          measurements of each setup; the median counts (default 5)
  --seconds N         length of each measurement (default 2)
  --pool N            connections to the database (default 10)
`;

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '4,16,32,64' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    pool: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
});

const COLUMNS = [
  'workers',
  'connections',
  'requests/s',
  'from',
  'to',
  'model',
  'difference',
  'p50 ms',
  'model',
  'p99 ms',
  'model',
  'server µs',
  'model',
  'database µs',
  'model',
  'load µs',
  'model',
  'others, cores',
  'fitted to',
];

const LARGER_COLUMNS = ['cores', 'db-pool', 'workers', 'requests/s', 'p50 ms', 'cores of the server', 'of PostgreSQL'];

const pool = Number(values.pool);
/** CPU cores that other programs may use before the report mentions it. */
const QUIET = 0.2;

async function run(): Promise<string> {
  const connections = values.connections.split(',').map(Number);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const measured = await measureSetups({ workers: [1, 2], connections, pool, rounds, seconds });
  const single = measured.filter(({ workers }) => workers === 1);
  const [few, many] = [single.at(0), single.at(-1)];
  if (few === undefined || many === undefined || few === many) throw new Error('two numbers of connections are needed');
  // Only the two setups that the model is fitted to: a predicted setup must not influence the model.
  const cores = os.availableParallelism() - Math.max(0, median([few.others, many.others]));
  const costs = calibrate(toCalibration(few, cores), toCalibration(many, cores));
  const rows = measured.map((setup) => renderRow(setup, costs, { cores, isFitted: setup === few || setup === many }));
  const mostOfOthers = Math.max(...measured.map(({ others }) => others));
  const doubt = `Other programs took up to ${mostOfOthers.toFixed(2)} cores: run it again with nothing beside it.\n`;
  const larger = [4, 8, 16].flatMap((each) => renderLarger(costs, each, many.connections));
  return [
    renderCosts(costs, cores),
    renderTable([COLUMNS, ...rows]),
    mostOfOthers > QUIET ? doubt : '',
    `Predicted for machines whose clients, ${many.connections} connections, run elsewhere:\n`,
    renderTable([LARGER_COLUMNS, ...larger]),
  ].join('\n');
}

/** One process and the default, with the default pool and one that gives each worker three connections. */
function renderLarger(costs: Costs, cores: number, clients: number): readonly (readonly string[])[] {
  const setups = [
    [1, pool],
    [countWorkers(cores, pool), pool],
    [cores / 2, Math.max(pool, (cores / 2) * 3)],
  ] as const;
  return setups.map(([workers, connections]) => {
    const setup = { workers, clients, pool: connections, cores };
    const { rate, p50, use } = simulate({ ...costs, load: { perTurn: 0, perItem: 0 } }, setup);
    const busy = (kind: 'server' | 'database'): string => ((use[kind].time * rate) / 1_000_000).toFixed(1);
    const size = [String(cores), String(connections), String(workers)] as const;
    return size.concat(rate.toFixed(0), (p50 / 1000).toFixed(2), busy('server'), busy('database'));
  });
}

function toSetup({ workers, connections }: MeasuredSetup, cores: number): Setup {
  return { workers, clients: connections, pool, cores };
}

function toCalibration(measured: MeasuredSetup, cores: number): Calibration {
  return { setup: toSetup(measured, cores), times: measured.times };
}

function renderCosts(costs: Costs, cores: number): string {
  const lines = Object.entries(costs).map(
    ([kind, { perTurn, perItem }]) => `  ${kind}: ${perTurn.toFixed(1)} µs a turn, ${perItem.toFixed(1)} µs an item`,
  );
  return `Fitted to CPU times of one worker, not to requests/s; ${cores.toFixed(2)} cores:\n${lines.join('\n')}\n`;
}

function renderRow(
  setup: MeasuredSetup,
  costs: Costs,
  { cores, isFitted }: { readonly cores: number; readonly isFitted: boolean },
): readonly string[] {
  const model = simulate(costs, toSetup(setup, cores));
  const difference = (model.rate / setup.rate - 1) * 100;
  const times = (['server', 'database', 'load'] as const).flatMap((kind) => [setup.times[kind], model.use[kind].time]);
  return [
    String(setup.workers),
    String(setup.connections),
    ...[setup.rate, ...setup.range, model.rate].map((rate) => rate.toFixed(0)),
    `${difference > 0 ? '+' : ''}${difference.toFixed(0)} %`,
    ...[setup.p50, model.p50 / 1000, setup.p99, model.p99 / 1000].map((time) => time.toFixed(2)),
    ...times.map((time) => time.toFixed(0)),
    setup.others.toFixed(2),
    isFitted ? 'its CPU times' : 'nothing of it',
  ];
}

process.stdout.write(values.help ? USAGE : await run());
