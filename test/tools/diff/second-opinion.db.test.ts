// P20 P21: a second opinion about `rowhouse diff`. Random pairs of schemas, many in one database: after the migration, the
// database and one in which the files have just run are equal for `pg_dump` and for catalogs read by code of the tests; or
// the comparison has said what it cannot do. Takes ROWHOUSE_SEED, ROWHOUSE_PAIRS and ROWHOUSE_BATCH. The long form prints
// how many pairs are equal, and why others are refused.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { compareStates } from '../../../tools/diff/compare-states.ts';
import type { MigrationFile } from '../../../tools/diff/migration.ts';
import { FILE_SETTINGS } from '../../../tools/diff/render-migration.ts';
import { readState } from '../../../tools/diff/replica.ts';
import { ScratchServer } from '../../../tools/diff/scratch-server.ts';
import { SchemaDelta } from '../../../tools/project/compare/schema-delta.ts';
import { adminUri, runRoleSql, runSql } from '../../support/database.ts';
import { Random } from '../../support/generate/random.ts';
import { isLong } from '../../support/long-form.ts';
import { digestCatalog } from '../project/catalog-digest.ts';
import { makePairs, type SchemaPair } from './random-schemas.ts';
import { startOwnPostgres } from '../../support/own-postgres.ts';
import { use, whenOver } from '../../support/use.ts';

const numberOf = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const seed = numberOf('ROWHOUSE_SEED', 56);
const pairCount = numberOf('ROWHOUSE_PAIRS', isLong ? 2000 : 12);
const BATCH = numberOf('ROWHOUSE_BATCH', isLong ? 25 : 6);
const strategy = inject('databaseStrategy');
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
whenOver(() => runRoleSql(adminUri(), `drop role ${roles.join(', ')}`));

/** A server of another version. */
async function startOther(): Promise<string | undefined> {
  if (other === undefined || process.env['ROWHOUSE_TEST_PG_BIN'] !== undefined) return undefined;
  const settings = { synchronous_commit: 'off', max_locks_per_transaction: '1024' };
  const { uri } = await use(startOwnPostgres(settings, { binFolder: other }));
  await runSql(uri, MAKE_ROLES);
  return uri;
}
const otherUri = await startOther();

interface Outcome {
  /** How many pairs have been compared after their migration, and are equal. */
  readonly equal: number;
  readonly refused: readonly string[];
  readonly wrong: readonly string[];
}

/** Where the target is, and where folder and replicas are made. */
interface Places {
  readonly target: string;
  readonly replicas: string;
}

/** Refusals and failures name what they are about: the pairs that one names are compared apart from the others. */
async function checkPairs(pairs: readonly SchemaPair[], places: Places): Promise<Outcome> {
  const found = await migrateAll(pairs, places).catch(
    (error: unknown) => ({ kind: 'wrong', text: String(error) }) as const,
  );
  if (found.kind === 'equal') return { equal: pairs.length, refused: [], wrong: [] };
  const { kind, text } = found;
  const named = pairs.filter(({ name }) => new RegExp(String.raw`\b${name}(?![a-z\d])`, 'u').test(text));
  const apart = named.length > 0 && named.length < pairs.length ? named : pairs.slice(0, Math.ceil(pairs.length / 2));
  const others = pairs.filter((pair) => !apart.includes(pair));
  const isFound = named.length === 1 || pairs.length === 1;
  const own = isFound ? report(kind, apart, text) : await checkPairs(apart, places);
  const parts = others.length === 0 ? own : merge(own, await checkPairs(others, places));
  // What only happens to pairs in one database must not get lost by comparing them apart.
  return parts[kind].length > 0 ? parts : merge(parts, report(kind, pairs, text));
}

function report(kind: 'refused' | 'wrong', pairs: readonly SchemaPair[], text: string): Outcome {
  const none = { equal: 0, refused: [], wrong: [] };
  return { ...none, [kind]: [`${pairs.map(({ name }) => name).join(' with ')}: ${text}`] };
}

function merge(one: Outcome, other: Outcome): Outcome {
  return {
    equal: one.equal + other.equal,
    refused: [...one.refused, ...other.refused],
    wrong: [...one.wrong, ...other.wrong],
  };
}

type Migrated = { readonly kind: 'equal' } | { readonly kind: 'refused' | 'wrong'; readonly text: string };

function migrateAll(pairs: readonly SchemaPair[], { target, replicas }: Places): Promise<Migrated> {
  const server = new ScratchServer(replicas, strategy);
  return new ScratchServer(target, strategy).withNewDatabase(async (client, uri) => {
    for (const { from } of pairs) await client.query(from);
    const old = { ...(await readState(client, delta)), roles: [], owner: 'postgres' };
    const compared = await server.withNewDatabase(async (folder) => {
      for (const { to } of pairs) await folder.query(to);
      const current = { ...(await readState(folder, delta, old.schema.version)), roles: [], owner: 'postgres' };
      return compareStates({ delta, files: [], place: { server, notProved: undefined }, old, current });
    });
    if (!compared.ok) {
      const text = compared.error.map(({ message, detail }) => `${message} ${detail ?? ''}`).join('; ');
      return { kind: 'refused', text };
    }
    const { notProved, files } = compared.value;
    if (notProved !== undefined) return { kind: 'refused', text: notProved };
    const failure = await applyFiles(client, files);
    if (failure !== undefined) return { kind: 'wrong', text: failure };
    return new ScratchServer(target, strategy).withNewDatabase(async (wanted, wantedUri) => {
      for (const { to } of pairs) await wanted.query(to);
      const differences = [...(await compareDigests(client, wanted)), ...compareDumps(uri, wantedUri)];
      return differences.length === 0 ? { kind: 'equal' } : { kind: 'wrong', text: differences.join('\n') };
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

/** The statements of a dump, without the order of columns, of storage options and of objects. */
function dump(uri: string): readonly string[] {
  const text = execFileSync(path.join(other ?? '', 'pg_dump'), ['--schema-only', uri], {
    maxBuffer: 2 ** 28,
  }).toString();
  const whole = text
    .replace(/^--\n-- PostgreSQL database dump complete[^]*/mu, '')
    .replaceAll(/(?<=^WITH \().*(?=\))/gmu, (options) => options.split(', ').sort().join(', '));
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

interface Way extends Places {
  readonly name: string;
}

/** Batches take turns: on the server of the run, on another version, and from one to the other. */
const ways: readonly Way[] = [
  { name: 'the server of the run', target: adminUri(), replicas: adminUri() },
  ...(otherUri === undefined
    ? []
    : [
        { name: 'another version', target: otherUri, replicas: otherUri },
        { name: 'another version, replicas on the server of the run', target: otherUri, replicas: adminUri() },
      ]),
];

/** Prints how many pairs each way has compared, and why it has refused others. */
function printWay(name: string, { equal, refused, wrong }: Outcome): void {
  const reasons = new Map<string, number>();
  for (const text of refused) {
    const bare = text
      .replace(/^[^:]*: /u, '')
      .replaceAll(/\bs\d+(?![a-z\d])/gu, 'S')
      .replaceAll(tag, 'role');
    reasons.set(bare, (reasons.get(bare) ?? 0) + 1);
  }
  console.log(`${name}: ${equal} equal, ${refused.length} refused, ${wrong.length} wrong`);
  for (const [reason, count] of reasons) console.log(`  ${count} refused: ${reason}`);
}

test(
  `P20 P21 ${pairCount} random pairs with the seed ${seed}: equal after the migration, or refused by name`,
  { timeout: 10_000_000 },
  async () => {
    const outcomes = new Map<string, Outcome>();
    for (const [index, batch] of batches.entries()) {
      const way = ways[index % ways.length];
      if (way === undefined) continue;
      const outcome = await checkPairs(batch, way);
      outcomes.set(way.name, merge(outcomes.get(way.name) ?? { equal: 0, refused: [], wrong: [] }, outcome));
      if (isLong) console.log(`batch ${index}, ${way.name}: ${outcome.equal} of ${batch.length} equal`, outcome.wrong);
    }
    if (isLong) for (const [name, outcome] of outcomes) printWay(name, outcome);
    const all = [...outcomes.values()];
    expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
    const refused = all.flatMap((outcome) => outcome.refused);
    expect(refused.filter((reason) => !/cannot be changed in place/u.test(reason))).toEqual([]);
    for (const { equal } of all) expect(equal).toBeGreaterThan(0);
  },
);
