// P20 P21: a second opinion about `rowhouse diff`. Random pairs of schemas, many in one database: after the migration, the
// database and one in which the files have just run are equal for `pg_dump` and for catalogs read by code of the tests; or
// the comparison has said what it cannot do. The long form takes ROWHOUSE_SEED and ROWHOUSE_PAIRS.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { compareStates } from '../../../tools/diff/compare-states.ts';
import type { MigrationFile } from '../../../tools/diff/migration.ts';
import { FILE_SETTINGS } from '../../../tools/diff/render-migration.ts';
import { readState } from '../../../tools/diff/replica.ts';
import { ScratchServer } from '../../../tools/diff/scratch-server.ts';
import { startEmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { SchemaDelta } from '../../../tools/project/compare/schema-delta.ts';
import { adminUri, runRoleSql } from '../../support/database.ts';
import { Random } from '../../support/generate/random.ts';
import { isLong } from '../../support/long-form.ts';
import { digestCatalog } from '../project/catalog-digest.ts';
import { makePairs, type SchemaPair } from './random-schemas.ts';

const numberOf = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const seed = numberOf('ROWHOUSE_SEED', 56);
const pairCount = numberOf('ROWHOUSE_PAIRS', isLong ? 2000 : 12);
const BATCH = numberOf('ROWHOUSE_BATCH', isLong ? 25 : 6);
const tag = `so${randomBytes(4).toString('hex')}`;
const roles = [`${tag}_web`, `${tag}_staff`] as const;
const MAKE_ROLES = roles.map((role) => `create role ${role}`).join(';');

/** Of the packages of Debian. It has `pg_dump`, which the embedded one does not. */
const PLACE = '/usr/lib/postgresql';
const other = (existsSync(PLACE) ? readdirSync(PLACE) : [])
  .map((name) => path.join(PLACE, name, 'bin'))
  .find((folder) => existsSync(path.join(folder, 'initdb')));

const loaded = await SchemaDelta.load();
if (!loaded.ok) throw new Error(loaded.error);
const delta = loaded.value;
await runRoleSql(adminUri(), MAKE_ROLES);
const ends: (() => Promise<void>)[] = [() => runRoleSql(adminUri(), `drop role ${roles.join(', ')}`)];
afterAll(async () => {
  for (const end of ends) await end();
});

/** A server of another version. */
async function startOther(): Promise<string | undefined> {
  if (other === undefined || process.env['ROWHOUSE_TEST_PG_BIN'] !== undefined) return undefined;
  const started = await startEmbeddedPostgres({
    dataFolder: path.join(os.tmpdir(), `rowhouse-test-${tag}`),
    binFolder: other,
    settings: { fsync: 'off', synchronous_commit: 'off', max_locks_per_transaction: '1024' },
    isTemporary: true,
  });
  if (!started.ok) throw new Error(started.error.kind);
  ends.push(() => started.value.stop());
  await withConnection(started.value.uri, (client) => client.query(MAKE_ROLES));
  return started.value.uri;
}
const otherUri = await startOther();

interface Outcome {
  readonly proved: number;
  readonly refused: readonly string[];
  readonly wrong: readonly string[];
}

/** Where the target is, and where folder and replicas are made. */
interface Places {
  readonly target: string;
  readonly replicas: string;
}

/** Refusals name what they are about: the pairs that one names are compared apart from the others. */
async function checkPairs(pairs: readonly SchemaPair[], places: Places): Promise<Outcome> {
  const found = await migrateAll(pairs, places);
  if (found.refusal === undefined) return { proved: pairs.length, refused: [], wrong: found.wrong };
  const { refusal } = found;
  const named = pairs.filter(({ name }) => new RegExp(String.raw`\b${name}(?![a-z\d])`, 'u').test(refusal));
  const apart = named.length > 0 && named.length < pairs.length ? named : pairs.slice(0, Math.ceil(pairs.length / 2));
  const others = pairs.filter((pair) => !apart.includes(pair));
  const isFound = named.length === 1 || pairs.length === 1;
  const own = isFound
    ? { proved: 0, refused: apart.map(({ name }) => `${name}: ${refusal}`), wrong: [] }
    : await checkPairs(apart, places);
  return others.length === 0 ? own : merge(own, await checkPairs(others, places));
}

function merge(one: Outcome, other: Outcome): Outcome {
  return {
    proved: one.proved + other.proved,
    refused: [...one.refused, ...other.refused],
    wrong: [...one.wrong, ...other.wrong],
  };
}

interface Migrated {
  readonly refusal?: string;
  readonly wrong: readonly string[];
}

function migrateAll(pairs: readonly SchemaPair[], { target, replicas }: Places): Promise<Migrated> {
  const server = new ScratchServer(replicas);
  return new ScratchServer(target).withNewDatabase(async (client, uri) => {
    for (const { from } of pairs) await client.query(from);
    const old = { ...(await readState(client, delta)), roles: [], owner: 'postgres' };
    const compared = await server.withNewDatabase(async (folder) => {
      for (const { to } of pairs) await folder.query(to);
      const current = { ...(await readState(folder, delta, old.schema.version)), roles: [], owner: 'postgres' };
      return compareStates({ delta, files: [], place: { server, notProved: undefined }, old, current });
    });
    if (!compared.ok)
      return {
        refusal: compared.error.map(({ message, detail }) => `${message} ${detail ?? ''}`).join('; '),
        wrong: [],
      };
    if (compared.value.notProved !== undefined) return { refusal: compared.value.notProved, wrong: [] };
    const failure = await applyFiles(client, compared.value.files);
    if (failure !== undefined) return { wrong: [failure] };
    return new ScratchServer(target).withNewDatabase(async (wanted, wantedUri) => {
      for (const { to } of pairs) await wanted.query(to);
      return { wrong: [...(await compareDigests(client, wanted)), ...compareDumps(uri, wantedUri)] };
    });
  });
}

/** @returns why a migration that was proved fails */
async function applyFiles(client: Client, files: readonly MigrationFile[]): Promise<string | undefined> {
  for (const { isBare, statements } of files) {
    const own = statements.map(({ sql }) => sql);
    for (const sql of isBare ? own : ['begin', ...FILE_SETTINGS, ...own, 'commit']) {
      const failed = await client.query(sql).then(
        () => undefined,
        (error: unknown) => `failed: ${sql}: ${String(error)}`,
      );
      if (failed !== undefined) return failed;
    }
  }
  return undefined;
}

/** PostgreSQL prints this check in another way when it has read what it has printed. The dumps compare it. */
const REPRINTED = /\bt_vin\b/u;

async function compareDigests(client: Client, wanted: Client): Promise<readonly string[]> {
  const read = async (each: Client): Promise<readonly string[]> => {
    await each.query('begin');
    const lines = await digestCatalog(each);
    await each.query('rollback');
    return lines.filter((line) => !REPRINTED.test(line));
  };
  return listDifferences(await read(client), await read(wanted));
}

function compareDumps(uri: string, wantedUri: string): readonly string[] {
  const isOwn = uri.split('/')[2] === otherUri?.split('/')[2];
  if (other === undefined || !existsSync(path.join(other, 'pg_dump')) || !isOwn) return [];
  return listDifferences(dump(uri), dump(wantedUri)).filter((line) => !REPRINTED.test(line));
}

/** The statements of a dump, without the order of columns and of objects. */
function dump(uri: string): readonly string[] {
  const text = execFileSync(path.join(other ?? '', 'pg_dump'), ['--schema-only', uri], {
    maxBuffer: 2 ** 28,
  }).toString();
  const whole = text.replace(/^--\n-- PostgreSQL database dump complete[^]*/mu, '');
  const blocks = whole.split(/^--\n-- Name: .*\n--\n/mu).slice(1);
  return blocks.map((block) =>
    /^CREATE (?:UNLOGGED |FOREIGN )?TABLE /mu.test(block)
      ? block
          .split('\n')
          .map((line) => line.replace(/,$/u, ''))
          .sort()
          .join('\n')
          .trim()
      : block.trim(),
  );
}

function listDifferences(found: readonly string[], wanted: readonly string[]): readonly string[] {
  const [has, should] = [new Set(found), new Set(wanted)];
  return [
    ...wanted.filter((line) => !has.has(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !should.has(line)).map((line) => `too much: ${line}`),
  ];
}

const pairs = makePairs(new Random(seed), pairCount, roles);
const batches = Array.from({ length: Math.ceil(pairs.length / BATCH) }, (_, index) =>
  pairs.slice(index * BATCH, (index + 1) * BATCH),
);

/** Batches take turns: on the server of the run, on another version, and from one to the other. */
const ways: readonly Places[] = [
  { target: adminUri(), replicas: adminUri() },
  ...(otherUri === undefined
    ? []
    : [
        { target: otherUri, replicas: otherUri },
        { target: otherUri, replicas: adminUri() },
      ]),
];

test(
  `P20 P21 ${pairCount} random pairs with the seed ${seed}: equal after the migration, or refused by name`,
  { timeout: 10_000_000 },
  async () => {
    const refused: string[] = [];
    const wrong: string[] = [];
    let proved = 0;
    for (const [index, batch] of batches.entries()) {
      const places = ways[index % ways.length];
      if (places === undefined) continue;
      const outcome = await checkPairs(batch, places);
      proved += outcome.proved;
      refused.push(...outcome.refused);
      if (isLong)
        console.log(`batch ${index}: ${proved} proved, ${refused.length} refused`, outcome.refused, outcome.wrong);
      wrong.push(...outcome.wrong);
    }
    expect(wrong).toEqual([]);
    expect(refused.filter((reason) => !/cannot be changed in place/u.test(reason))).toEqual([]);
    expect(proved).toBeGreaterThan(0);
  },
);
