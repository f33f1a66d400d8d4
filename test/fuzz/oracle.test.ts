// Random reads of everything at once, each answer compared with one that is worked out without SQL: row by row, value by
// value, total by total. `npm run fuzz -- --oracle --count 20000 --seed 1` sends more of them than a test run does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dice } from './dice.ts';
import { ask, urlOf, type Answer } from './http-client.ts';
import { answerRead, answerRows, canonicalAnswer, chooseRows, type Shown } from './oracle/answer-read.ts';
import { printRead } from './oracle/print-read.ts';
import { ReadMaker } from './oracle/random-read.ts';
import { hasAggregate, LINKS, type Level, type Row, type Tables, type Value } from './oracle/read-model.ts';
import { startReadingServer, type ReadingServer } from './reading-server.ts';

const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 600);
const firstSeed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);

/** Functions that give all rows of a table, each kind of function once; and the right to change what is rolled back. */
const FIXTURE = Object.keys(LINKS)
  .map((relation, index) => {
    const query = `select * from api.${relation}`;
    const [language, body] = index % 2 === 0 ? ['sql', query] : ['plpgsql', `begin return query ${query}; end`];
    return `
      create function api.all_${relation}() returns setof api.${relation} language ${language}
        ${index % 3 === 0 ? 'volatile' : 'stable'} as $$ ${body} $$;
      grant update on api.${relation} to web_anon;`;
  })
  .join('');

/** A column of each table that holds any text. */
const TEXTS: Readonly<Record<string, string>> = {
  harbours: 'name',
  boats: 'label',
  sailors: 'name',
  postings: 'duty',
  permits: 'code',
  crates: 'name',
};

let server: ReadingServer;
let tables: Tables;

beforeAll(async () => {
  const options = {
    'db-aggregates-enabled': true,
    'url-use-legacy-target-names': false,
    'db-tx-end': 'rollback',
  };
  server = await startReadingServer(options, FIXTURE);
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

/** What is wrong with the answer to a read, if anything. */
type Trial = (level: Level, dice: Dice) => Promise<string | undefined>;

async function runTrials(number: number, run: Trial): Promise<void> {
  const problems: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + number && problems.length < 5; seed += 1) {
    const dice = new Dice(seed);
    const level = new ReadMaker(dice, tables).make();
    const problem = await run(level, dice);
    const url = decodeURIComponent(urlOf(level.relation, printRead(level)));
    if (problem !== undefined) problems.push(`${seed}: ${url}\n${problem}`);
  }
  expect(problems.join('\n\n')).toBe('');
}

const COUNTED = { Prefer: 'count=exact' };
const LONG = 3_600_000;

const ofTables: Trial = async (level) => {
  const url = urlOf(level.relation, printRead(level));
  return judgeRead(level, await ask(server.port, { method: 'GET', url, headers: COUNTED }));
};
test(`R213 R217 ${count} random reads have the answers that nested loops have`, () => runTrials(count, ofTables), LONG);

const ofFunctions: Trial = async (plain, dice) => {
  const level = showColumns(plain);
  const url = urlOf(`rpc/all_${level.relation}`, printRead(level)).replace('%2F', '/');
  const method = dice.pick(['GET', 'POST']);
  const body = method === 'POST' ? '{}' : undefined;
  return judgeRead(level, await ask(server.port, { method, url, headers: COUNTED, body }));
};
test(`R201 W213 ${count / 3} random calls have them too`, () => runTrials(count / 3, ofFunctions), LONG);

/** Embeds see what was before, and nothing limits a write (`writing.md` §7.4, §9.1). */
const ofUpdates: Trial = async (plain) => {
  const column = TEXTS[plain.relation];
  if (column === undefined) return undefined;
  const own = plain.conditions.filter(({ kind }) => kind === 'column');
  const level = showColumns({ ...plain, conditions: own });
  const headers = { Prefer: 'return=representation, count=exact' };
  const url = urlOf(level.relation, printRead(level));
  const answer = await ask(server.port, { method: 'PATCH', url, headers, body: JSON.stringify({ [column]: 'Zed' }) });
  const updated = chooseRows(level, tables).map((row) => Object.fromEntries([...Object.entries(row), [column, 'Zed']]));
  const rows = answerRows({ ...level, conditions: [] }, updated, { tables, isWindowed: false });
  if (answer.status !== 200) return `${answer.status} ${answer.body}`;
  const range = `${rows.length === 0 ? '*' : `0-${rows.length - 1}`}/${rows.length}`;
  if (answer.headers['content-range'] !== range) return `${answer.headers['content-range']} instead of ${range}`;
  return compareRows(level, answer, rows);
};
test(`W110 W287 W288 ${count / 3} random updates show them too`, () => runTrials(count / 3, ofUpdates), LONG);

/** What comes of a function or a write can be ordered by what is selected of it. */
function showColumns(level: Level): Level {
  const columns = Object.keys(tables[level.relation]?.[0] ?? {}).map((column) => ({ key: column, column }));
  return level.aggregates.length > 0 ? level : { ...level, columns };
}

function judgeRead(level: Level, answer: Answer): string | undefined {
  const { status, body, headers } = answer;
  const total = totalOf(level);
  if (total !== undefined && level.offset > total)
    return status === 416 ? undefined : `416 expected: ${status} ${body}`;
  // The total of a window beside aggregates is that of the rows which are grouped (`reading.md` §9.4).
  if (total === undefined && status === 416) return undefined;
  if (status !== 200 && status !== 206) return `${status} ${body}`;
  const range = headers['content-range'] ?? '';
  if (total !== undefined && !range.endsWith(`/${total}`)) return `${range} instead of ${total}`;
  return compareRows(level, answer, answerRead(level, { tables, isWindowed: true }));
}

function compareRows(level: Level, { body }: Answer, rows: readonly Shown[]): string | undefined {
  const answer = canonicalAnswer(level, JSON.parse(body) as readonly Shown[]);
  const expected = canonicalAnswer(level, rows);
  return answer === expected ? undefined : `${answer}\n${expected}`;
}

/** Without a window the rows of the page are the total; undefined where a count does not see what is shown. */
function totalOf(level: Level): number | undefined {
  const isWindowed = level.limit === undefined && level.offset === 0;
  if (!isWindowed && hasAggregate(level)) return undefined;
  return answerRead(level, { tables, isWindowed }).length;
}
