// `npm run bench -- counts`: what a request costs, in calls, bytes and promises, compared with the recorded counts.
import { parseArgs } from 'node:util';
import { countRequests, type CountsByCase } from './counts/count-requests.ts';
import { readRecorded, writeRecorded } from './counts/recorded.ts';
import { renderTable } from './report.ts';

const USAGE = `npm run bench -- counts [options]
  --write   record the counts in test/bench/counts/recorded.json, with which the tests compare
`;

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});

const COLUMNS = ['case', 'calls', 'recorded', 'bytes', 'recorded', 'promises', 'recorded'];

function renderCounts(counted: CountsByCase, recorded: CountsByCase): string {
  const rows = Object.entries(counted).map(([name, { calls, bytes, promises }]) => {
    const before = recorded[name];
    return [name, calls, before?.calls, bytes, before?.bytes, promises, before?.promises].map((cell) =>
      String(cell ?? '-'),
    );
  });
  return renderTable([COLUMNS, ...rows]);
}

async function run(): Promise<string> {
  const { counts: recorded } = readRecorded();
  const counted = await countRequests(undefined);
  if (values.write) writeRecorded(counted);
  return renderCounts(counted, recorded);
}

process.stdout.write(values.help ? USAGE : await run());
