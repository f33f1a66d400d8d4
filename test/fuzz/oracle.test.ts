// Random reads of everything at once, each answer compared with one that is worked out without SQL: row by row, value by
// value, total by total. `npm run fuzz -- --oracle --count 20000 --seed 1` sends more of them than a test run does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dice } from './dice.ts';
import { ask, urlOf } from './http-client.ts';
import { answerRead, canonicalAnswer, type Shown } from './oracle/answer-read.ts';
import { printRead } from './oracle/print-read.ts';
import { ReadMaker } from './oracle/random-read.ts';
import { hasAggregate, LINKS, type Level, type Row, type Tables, type Value } from './oracle/read-model.ts';
import { startReadingServer, type ReadingServer } from './reading-server.ts';

const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 600);
const firstSeed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);

let server: ReadingServer;
let tables: Tables;

beforeAll(async () => {
  server = await startReadingServer({ 'db-aggregates-enabled': true, 'url-use-legacy-target-names': false });
  const relations = Object.keys(LINKS).map(async (relation) => [relation, await readTable(relation)] as const);
  tables = Object.fromEntries(await Promise.all(relations));
});
afterAll(() => server?.stop());

/** Without the columns that are no plain values. */
async function readTable(relation: string): Promise<readonly Row[]> {
  const { body } = await ask(server.port, { method: 'GET', url: `/${relation}`, headers: {} });
  const rows = JSON.parse(body) as readonly Readonly<Record<string, unknown>>[];
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(isPlain)));
}

function isPlain(entry: readonly [string, unknown]): entry is [string, Value] {
  return !['flags', 'meta'].includes(entry[0]);
}

test(`R213 R217 ${count} random reads have the answers that nested loops have`, async () => {
  const problems: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const level = new ReadMaker(new Dice(seed), tables).make();
    const problem = await findProblem(level);
    if (problem !== undefined)
      problems.push(`${seed}: ${decodeURIComponent(urlOf(level.relation, printRead(level)))}\n${problem}`);
    if (problems.length > 5) break;
  }
  expect(problems.join('\n\n')).toBe('');
}, 3_600_000);

async function findProblem(level: Level): Promise<string | undefined> {
  const url = urlOf(level.relation, printRead(level));
  const { status, body, headers } = await ask(server.port, { method: 'GET', url, headers: { Prefer: 'count=exact' } });
  const total = totalOf(level);
  if (total !== undefined && level.offset > total)
    return status === 416 ? undefined : `416 expected: ${status} ${body}`;
  // The total of a window beside aggregates is that of the rows which are grouped (`reading.md` §9.4).
  if (total === undefined && status === 416) return undefined;
  if (status !== 200 && status !== 206) return `${status} ${body}`;
  const answer = canonicalAnswer(level, JSON.parse(body) as readonly Shown[]);
  const expected = canonicalAnswer(level, answerRead(level, { tables, isWindowed: true }));
  if (answer !== expected) return `${answer}\n${expected}`;
  const range = headers['content-range'] ?? '';
  return total === undefined || range.endsWith(`/${total}`) ? undefined : `${range} instead of ${total}`;
}

/** Without a window the rows of the page are the total; undefined where a count does not see what is shown. */
function totalOf(level: Level): number | undefined {
  const isWindowed = level.limit === undefined && level.offset === 0;
  if (!isWindowed && hasAggregate(level)) return undefined;
  return answerRead(level, { tables, isWindowed }).length;
}
