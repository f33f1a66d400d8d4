// P9: after each random edit, the database equals one in which the files have just run, and each row has the values that it
// had. An edit that rows do not allow is refused with its reason, and changes nothing. The long form takes ROWHOUSE_SEED,
// ROWHOUSE_EDITS and ROWHOUSE_TABLES from the environment.
import { randomBytes } from 'node:crypto';
import { DatabaseError } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { adminUri, runRoleSql } from '../../support/database.ts';
import { Random } from '../../support/generate/random.ts';
import { isLong } from '../../support/long-form.ts';
import { useEditedProjects } from './edited-project.ts';
import { RandomProject } from './random-edits.ts';

const open = useEditedProjects();
const tag = `p${randomBytes(4).toString('hex')}`;
const roles = [`${tag}_web`, `${tag}_staff`] as const;
const numberOf = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const seed = numberOf('ROWHOUSE_SEED', 7);
const edits = numberOf('ROWHOUSE_EDITS', 25);

await runRoleSql(adminUri(), roles.map((role) => `create role ${role}`).join(';'));
const random = new RandomProject(new Random(seed), { tables: numberOf('ROWHOUSE_TABLES', 8), roles });
const project = await open(random.files());
afterAll(async () => {
  await project.close();
  for (const role of roles) {
    await project.client.query(`drop owned by ${role}`);
    await runRoleSql(adminUri(), `drop role ${role}`);
  }
});

type Row = Readonly<Record<string, unknown>>;
/** By the names of tables, then by key. */
type Rows = ReadonlyMap<string, Readonly<Record<string, Row>>>;

async function readRows(): Promise<Rows> {
  const parts = random
    .tables()
    .map((name) => `select '${name}' as name, jsonb_object_agg(id, to_jsonb(t)) as rows from app.${name} as t`);
  const [all] = await project.read(
    `select jsonb_object_agg(name, coalesce(rows, '{}')) from (${parts.join(' union all ')}) as t`,
  );
  return new Map(Object.entries(all as Record<string, Record<string, Row>>));
}

/** Returns the rows of the tables and columns that are still there, under their new names, without computed values. */
function keepComparable(before: Rows, after: Rows, renames: ReadonlyMap<string, string>): Rows {
  const computed = random.computed();
  const kept = [...before].flatMap(([table, rows]): [string, Record<string, Row>][] => {
    const name = renames.get(table) ?? table;
    const own = after.get(name);
    if (own === undefined) return [];
    const keys = new Set(Object.values(own).flatMap((row) => Object.keys(row)));
    const rename = (column: string): string => renames.get(`${table}.${column}`)?.split('.')[1] ?? column;
    const compare = ([key, row]: [string, Row]): [string, Row] => {
      const columns = Object.entries(row).map(([column, value]): [string, unknown] => [rename(column), value]);
      return [
        key,
        Object.fromEntries(columns.filter(([column]) => keys.has(column) && !computed.has(`${name}.${column}`))),
      ];
    };
    return [[name, Object.fromEntries(Object.entries(rows).map(compare))]];
  });
  return new Map(kept);
}

function expectSame(before: Rows, after: Rows, renames: ReadonlyMap<string, string>, where: string): void {
  const wanted = keepComparable(before, after, renames);
  for (const [table, rows] of wanted) {
    const found = after.get(table) ?? {};
    for (const [key, row] of Object.entries(rows)) expect(found[key], where).toMatchObject(row);
  }
}

/** What an edit drops, its author means to drop. What no longer fits, its author does not. */
const DROPS = /^This change loses data:\n(?: {2}(?:table|column) .*\n)+Apply it\?$/u;
/** Why rows do not allow an edit. */
const REFUSED =
  /^Not applied: (?:rows of \S+ need a value for |could not create unique index |column ".*" of relation ".*" contains null values|.* is violated by some row)|^Held back, because it would lose data:/mu;

async function fill(name: string): Promise<void> {
  await project.client.query(random.fill(name)).catch((error: unknown) => {
    // A unique constraint may refuse the values.
    if (!(error instanceof DatabaseError) || error.code !== '23505') throw error;
  });
}

test(
  `P9 ${edits} random edits with the seed ${seed}: no drift, no row is lost, and none is changed`,
  { timeout: 10_000_000 },
  async () => {
    expect(await project.findDrift()).toEqual([]);
    for (let round = 0; round < 3; round += 1) for (const name of random.tables()) await fill(name);
    project.answer = (question) => DROPS.test(question);
    let refused = 0;
    for (let edit = 1; edit <= edits; edit += 1) {
      const before = await readRows();
      const { what, files, renames } = random.edit();
      const printed = await project.save(files);
      let where = `edit ${edit} (${what}):\n${printed}`;
      // An edit may write the same text again.
      const isApplied = /^$|, \d+\.\d\d s$/u.test(printed);
      if (!isApplied) {
        refused += 1;
        expect(printed, where).toMatch(REFUSED);
        where += `\ntaken back:\n${await project.save(random.undo())}`;
      }
      expect(await project.findDrift(), where).toEqual([]);
      const after = await readRows();
      expectSame(before, after, isApplied ? renames : new Map(), where);
      const name = random.tables()[edit % random.tables().length];
      if (name !== undefined) await fill(name);
    }
    if (isLong) console.log(`${refused} of ${edits} edits were refused`);
    expect(refused).toBeLessThan(edits / 2);
  },
);
