// Random reads with all features, each response compared with one computed without SQL: row by row, value by value,
// total by total. `npm run test:fuzz -- --suite read-oracle` sends more of them.
import { expect, test } from 'vitest';
import { Random } from '../support/generate/random.ts';
import { ask, urlOf } from '../support/http-client.ts';
import { checkRead, checkUpdate, keepOwnConditions, showColumns } from './oracle/check-read.ts';
import { printRead } from './oracle/print-read.ts';
import { ReadMaker } from './oracle/random-read.ts';
import { LINKS, TEXTS, type Level, type Row, type Tables, type Value } from './oracle/read-model.ts';
import { startReadingServer } from '../support/reading-server.ts';
import { use } from '../support/use.ts';

const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 600);
const firstSeed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);

/** Adds a function of each kind that returns all rows of a table, and privileges for updates that are rolled back. */
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

const options = {
  'db-aggregates-enabled': true,
  'url-use-legacy-target-names': false,
  'db-tx-end': 'rollback',
};
const server = await use(startReadingServer(options, FIXTURE));
const relations = Object.keys(LINKS).map(async (relation) => [relation, await readTable(relation)] as const);
const tables: Tables = Object.fromEntries(await Promise.all(relations));

/** Reads a table without columns whose values are not plain. */
async function readTable(relation: string): Promise<readonly Row[]> {
  const { body } = await ask(server.port, { method: 'GET', url: `/${relation}`, headers: {} });
  const rows = JSON.parse(body) as readonly Readonly<Record<string, unknown>>[];
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(isPlain)));
}

function isPlain(entry: readonly [string, unknown]): entry is [string, Value] {
  return !['flags', 'meta'].includes(entry[0]);
}

/** Returns what is wrong with the response to a read, if anything. */
type Trial = (level: Level, random: Random) => Promise<string | undefined>;

async function runTrials(number: number, run: Trial): Promise<void> {
  const problems: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + number && problems.length < 5; seed += 1) {
    const random = new Random(seed);
    const level = new ReadMaker(random, tables).make();
    const problem = await run(level, random);
    const url = decodeURIComponent(urlOf(level.relation, printRead(level)));
    if (problem !== undefined) problems.push(`${seed}: ${url}\n${problem}`);
  }
  expect(problems.join('\n\n')).toBe('');
}

const COUNTED = { Prefer: 'count=exact' };
const LONG = 3_600_000;

const ofTables: Trial = async (level) => {
  const url = urlOf(level.relation, printRead(level));
  return checkRead(level, await ask(server.port, { method: 'GET', url, headers: COUNTED }), tables);
};
test(`R213 R217 ${count} random reads equal nested loops over the tables`, () => runTrials(count, ofTables), LONG);

const ofFunctions: Trial = async (plain, random) => {
  const level = showColumns(plain, tables);
  const url = urlOf(`rpc/all_${level.relation}`, printRead(level)).replace('%2F', '/');
  const method = random.pick(['GET', 'POST']);
  const body = method === 'POST' ? '{}' : undefined;
  return checkRead(level, await ask(server.port, { method, url, headers: COUNTED, body }), tables);
};
test(
  `R201 W213 ${count / 3} random calls equal nested loops over the tables`,
  () => runTrials(count / 3, ofFunctions),
  LONG,
);

const ofUpdates: Trial = async (plain) => {
  const column = TEXTS[plain.relation];
  if (column === undefined) return undefined;
  const level = showColumns(keepOwnConditions(plain), tables);
  const headers = { Prefer: 'return=representation, count=exact' };
  const url = urlOf(level.relation, printRead(level));
  const values = { [column]: 'Zed' };
  const answer = await ask(server.port, { method: 'PATCH', url, headers, body: JSON.stringify(values) });
  return checkUpdate({ level, values }, answer, tables);
};
test(
  `W110 W287 W288 ${count / 3} random updates return what nested loops return`,
  () => runTrials(count / 3, ofUpdates),
  LONG,
);
