// Which rows a request wrote into the table whose policies refused one, however they came there: by a nested write, a trigger
// or a function. The request runs freely, and the rows that it leaves are told by their transaction.
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import { ok } from '../../../src/contract/result.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { findRefused } from './decide-rows.ts';
import { type Facts, type Probe, type Question, readRows } from './probe.ts';
import { isPolicyRefusal, type Report } from './report.ts';
import { type FoundRow, readFound, renderKeyed, renderTouched } from './row-statements.ts';

/** PostgreSQL names the table without its schema. */
const REFUSED_TABLE = /row-level security policy.* for table "(?<table>.+)"$/u;

const TABLES_SQL = `
SELECT space.nspname FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
WHERE class.relname = $1 AND class.relrowsecurity AND class.relkind IN ('r', 'p')
ORDER BY space.nspname LIMIT 10`;

/** Of the row of the role in a savepoint in which it was changed. */
const START_SQL = 'SELECT xmin::text FROM pg_catalog.pg_authid WHERE rolname = $1';

const QUESTIONS: Readonly<Record<'added' | 'replaced' | 'changed' | 'read', Question>> = {
  added: { command: 'insert', clause: 'check' },
  replaced: { command: 'update', clause: 'using' },
  changed: { command: 'update', clause: 'check' },
  read: { command: 'select', clause: 'using' },
};

/**
 * @param script of the request; its rows must not arrive while it runs
 * @param actor the role whose policies refused a row
 * @returns none if no policy that can be evaluated refuses a row
 */
export async function explainTouched(
  script: TransactionScript,
  { report, actor }: { readonly report: Report; readonly actor: string },
  probe: Probe,
): Promise<readonly string[]> {
  const name = REFUSED_TABLE.exec(report.message)?.groups?.['table'];
  if (!isPolicyRefusal(report) || name === undefined || script.arriving !== undefined) return [];
  const spaces = readRows(await probe.read({ text: TABLES_SQL, parameters: [name] }));
  const lines: string[] = [];
  for (const [schema] of spaces.ok ? spaces.value : []) {
    const facts = await probe.readFacts({ schema: schema ?? '', name }, actor);
    if (facts !== undefined) lines.push(...(await explainTable(script, facts, probe)));
  }
  return lines;
}

async function explainTable(script: TransactionScript, facts: Facts, probe: Probe): Promise<readonly string[]> {
  const { key } = facts.relation;
  const touched = await findTouched(script, facts.name, { key, probe });
  if (touched.length === 0) return [];
  const keys = touched.map((row) => row.key);
  const before = key.length === 0 ? NONE : readRows(await probe.read(renderKeyed(facts.name, key, keys)));
  const replaced = before.ok ? readFound(before.value) : [];
  const known = new Set(replaced.map((row) => JSON.stringify(row.key)));
  const isKnown = (row: FoundRow): boolean => known.has(JSON.stringify(row.key));
  const place = { target: { facts, own: key }, probe };
  const added = touched.filter((row) => !isKnown(row));
  const written = [
    ...(await findRefused(added, place, { question: QUESTIONS.added })),
    ...(await findRefused(replaced, place, { question: QUESTIONS.replaced, noun: 'existing row' })),
    ...(await findRefused(touched.filter(isKnown), place, { question: QUESTIONS.changed })),
  ];
  return written.length > 0 ? [...new Set(written)] : findRefused(touched, place, { question: QUESTIONS.read });
}

const NONE = ok<readonly (readonly (string | null)[])[]>([]);

async function findTouched(
  script: TransactionScript,
  table: QualifiedName,
  { key, probe }: { readonly key: readonly string[]; readonly probe: Probe },
): Promise<readonly FoundRow[]> {
  const found = await probe.runRequestFreely(script, async (run) => {
    const start = readRows(await run({ text: START_SQL, parameters: [script.role] }));
    if (!start.ok) return start;
    const rows = readRows(await run(renderTouched(table, key, start.value[0]?.[0] ?? '0')));
    return rows.ok ? ok(readFound(rows.value)) : rows;
  });
  return found.ok ? found.value : [];
}
