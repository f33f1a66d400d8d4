// `npm run bench`: measures the built server under load, next to pgbench running the same SQL, a hand-written endpoint
// and, with `--base`, another build; with `--stages`, the pure stages.
import { parseArgs } from 'node:util';
import { asksForRows, CASES, type BenchCase } from './bench-case.ts';
import { measure } from './measure.ts';
import { renderReport } from './report.ts';
import { measureStages } from './stages.ts';
import { findWrk } from './load/wrk.ts';

const USAGE = `npm run bench -- [options]
  --rounds N      measurements per case; the median counts (default 5)
  --seconds N     length of each measurement (default 2)
  --case TEXT     only the cases whose name contains the text; repeatable
  --connections LIST
                  numbers of kept-alive connections, measured one after another: 1,16,64,256 (default 16)
  --base FOLDER   a built checkout to compare with
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
    case: { type: 'string', multiple: true, default: [''] },
    connections: { type: 'string', default: '16' },
    base: { type: 'string' },
    socket: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
    'own-load': { type: 'boolean', default: false },
    stages: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function chooseCases(texts: readonly string[]): readonly BenchCase[] {
  return CASES.filter(({ name }) => texts.some((text) => name.includes(text)));
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`expected a number of at least 1, not ${text}`);
  return count;
}

function readVariable(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`expected NAME=VALUE, not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function run(): Promise<string> {
  const cases = chooseCases(values.case);
  const rounds = readCount(values.rounds);
  if (values.stages) return measureStages(cases.filter(asksForRows), rounds);
  const measured = await measure({
    cases,
    connections: values.connections.split(',').map(readCount),
    rounds,
    seconds: readCount(values.seconds),
    profileFolder: values.profile,
    baseFolder: values.base,
    isOverSocket: values.socket,
    wrk: values['own-load'] ? undefined : findWrk(),
    environment: Object.fromEntries(values.set.map(readVariable)),
  });
  return renderReport(measured);
}

process.stdout.write(values.help ? USAGE : await run());
