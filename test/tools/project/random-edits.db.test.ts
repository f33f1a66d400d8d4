// P9: after each random edit, the database equals one in which the files have just run, and no row is lost. The long form
// takes ROWHOUSE_SEED, ROWHOUSE_EDITS and ROWHOUSE_TABLES from the environment.
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { adminUri, runRoleSql } from '../../support/database.ts';
import { Random } from '../../support/generate/random.ts';
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

/** The keys of the rows of each table. */
async function readKeys(): Promise<ReadonlyMap<string, string>> {
  const parts = random
    .tables()
    .map((name) => `select '${name}' as name, string_agg(id::text, ',' order by id) as keys from app.${name}`);
  const [all] = await project.read(
    `select coalesce(json_object_agg(name, keys), '{}') from (${parts.join(' union all ')}) as tables`,
  );
  return new Map(Object.entries(all as Record<string, string>));
}

test(
  `P9 ${edits} random edits with the seed ${seed}: no drift, and no row is lost`,
  { timeout: 10_000_000 },
  async () => {
    expect(await project.findDrift()).toEqual([]);
    for (const name of random.tables()) await project.client.query(random.fill(name));
    // What an edit drops, its author means to drop.
    project.answer = (question) => question.includes('loses data');
    for (let edit = 1; edit <= edits; edit += 1) {
      const before = await readKeys();
      const { what, files } = random.edit();
      const printed = await project.save(files);
      const where = `edit ${edit} (${what}):\n${printed}`;
      // An edit may write the same text again.
      expect(printed, where).toMatch(/^$|, \d+\.\d\d s$/u);
      expect(await project.findDrift(), where).toEqual([]);
      const after = await readKeys();
      for (const [name, keys] of before) if (random.tables().includes(name)) expect(after.get(name), where).toBe(keys);
      const name = random.tables()[edit % random.tables().length];
      if (name !== undefined) await project.client.query(random.fill(name)).catch(() => undefined);
    }
  },
);
