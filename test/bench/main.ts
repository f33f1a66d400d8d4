// `npm run bench`: the built server under load, against pgbench running the same SQL; with `--stages` the pure stages.
import { parseArgs } from 'node:util';
import { CASES, type BenchCase } from './bench-case.ts';
import { measure } from './measure.ts';
import { renderReport } from './report.ts';
import { measureStages } from './stages.ts';

const USAGE = `npm run bench -- [options]
  --rounds N      measurements of each case, of which the median counts (default 5)
  --seconds N     length of each measurement (default 2)
  --case TEXT     only the cases whose name contains the text; may be given several times
  --stages        the stages of a request one by one, without database
  --profile DIR   leave a CPU profile of the server there
Cases: ${CASES.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    case: { type: 'string', multiple: true, default: [''] },
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
  if (!Number.isInteger(count) || count < 1) throw new Error(`a number from 1 on is needed, not ${text}`);
  return count;
}

async function run(): Promise<string> {
  const cases = chooseCases(values.case);
  const rounds = readCount(values.rounds);
  if (values.stages) return measureStages(cases, rounds);
  const seconds = readCount(values.seconds);
  return renderReport(await measure({ cases, rounds, seconds, profileFolder: values.profile }));
}

process.stdout.write(values.help ? USAGE : await run());
