// P8: every kind of object is added, altered and dropped by editing a file. The database then equals one in which the files
// have just run, and its rows are still there.
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { adminUri, runRoleSql } from '../../support/database.ts';
import { useEditedProjects } from './edited-project.ts';
import { CHANGES, type KindOfChange } from './kinds-of-changes.ts';

const open = useEditedProjects();
const tag = `p${randomBytes(4).toString('hex')}`;
/** The first name must be quoted in every statement. */
const [web, staff] = [`"${tag} Web"`, `${tag}_staff`];
await runRoleSql(adminUri(), `create role ${web}; create role ${staff}`);
const project = await open({ 'schema/empty.sql': '' });
afterAll(async () => {
  await project.close();
  for (const role of [web, staff]) {
    await project.client.query(`drop owned by ${role}`);
    await runRoleSql(adminUri(), `drop role ${role}`);
  }
});

/** Each kind has a file and a schema of its own, so that a save changes several of them. */
const schemaOf = (change: KindOfChange): string => `k${CHANGES.indexOf(change)}`;
const fileOf = (change: KindOfChange): string => `schema/${schemaOf(change)}.sql`;

function writeKind(change: KindOfChange, state: 'from' | 'to'): Readonly<Record<string, string>> {
  const sql = change[state].replaceAll('web_anon', web).replaceAll('staff', staff);
  return { [fileOf(change)]: `create schema ${schemaOf(change)};\nset search_path to ${schemaOf(change)};\n${sql}` };
}

/** The rows of all tables, as far as their columns are in both descriptions. */
async function readRows(): Promise<ReadonlyMap<string, readonly Record<string, unknown>[]>> {
  const tables = await project.read(`select oid::regclass::text from pg_class where relkind in ('r', 'p')
    and not relispartition and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`);
  const parts = tables.map(
    (table) =>
      `select $q$${String(table)}$q$ as name, jsonb_strip_nulls(to_jsonb(t)) as row from ${String(table)} as t`,
  );
  const all =
    parts.length === 0
      ? []
      : await project.read(`select json_agg(all_rows) from (${parts.join(' union all ')}) as all_rows`);
  const rows = new Map(tables.map((table) => [String(table), [] as Record<string, unknown>[]]));
  for (const { name, row } of (all[0] ?? []) as { name: string; row: Record<string, unknown> }[])
    rows.get(name)?.push(row);
  return rows;
}

async function save(changes: readonly KindOfChange[], state: 'from' | 'to'): Promise<string> {
  const printed = await project.save(Object.assign({}, ...changes.map((change) => writeKind(change, state))));
  expect(printed).toMatch(/^\d+ files: .+, \d+\.\d\d s$/u);
  expect(await project.findDrift()).toEqual([]);
  return printed;
}

async function expectRows(before: Awaited<ReturnType<typeof readRows>>): Promise<void> {
  const after = await readRows();
  for (const [table, rows] of before) {
    const found = after.get(table);
    if (found === undefined) continue;
    const common = Object.keys(rows[0] ?? {}).filter((column) => column in (found[0] ?? {}));
    const pick = (row: Record<string, unknown>): string => JSON.stringify(common.map((column) => row[column]));
    expect(found.map(pick).sort(), table).toEqual(rows.map(pick).sort());
  }
}

const BATCH = 7;
const batches = Array.from({ length: Math.ceil(CHANGES.length / BATCH) }, (_, index) =>
  CHANGES.slice(index * BATCH, (index + 1) * BATCH),
);

test.each(batches.map((batch) => [batch.map(({ kind }) => kind).join('; '), batch] as const))(
  'P8 added, altered and taken back: %s',
  async (_, batch) => {
    project.answer = () => true;
    const old = [...(await readRows()).keys()];
    if (old.length > 0) await project.client.query(`truncate ${old.join(', ')} cascade`);
    await project.save(Object.fromEntries(project.files().map((file) => [file, undefined])));
    await save(batch, 'from');
    project.answer = () => undefined;
    for (const change of batch)
      await project.client.query(`set search_path to ${schemaOf(change)}; ${change.rows ?? ''}`);
    await project.client.query('reset search_path');
    const before = await readRows();
    await save(batch, 'to');
    await expectRows(before);
    project.answer = () => true;
    await save(batch, 'from');
    const lossy = new Set(batch.filter(({ isLossy }) => isLossy === true).map(schemaOf));
    const asked = project.questions.flatMap((question) => question.match(/\bk\d+\b/gu) ?? []);
    expect(asked.filter((name) => !lossy.has(name))).toEqual([]);
    await expectRows(before);
  },
);
