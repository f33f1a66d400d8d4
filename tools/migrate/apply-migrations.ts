// Applies migrations: under an advisory lock, each in its own transaction together with its entry in the ledger, so that
// a run that ends at any moment leaves each of them either applied and recorded, or neither (`project.md` §3 item 6).
import { DatabaseError } from 'pg';
import { fail, ok } from '../../src/contract/result.ts';
import type { SqlClient } from '../embedded/script/sql-session.ts';
import { quoteName } from '../project/compare/object-id.ts';
import { type Outcome, type Problem, problemOf } from '../project/folder/problem.ts';
import { MISSING } from '../project/run/schema-run.ts';
import type { Statement } from '../project/run/statement.ts';
import { createLedger, readLedger, recordApplied, recordBegun } from './ledger.ts';
import { describeLate, type Late, type PlannedMigration, planMigration } from './plan-migration.ts';
import type { Migration } from './read-migrations.ts';
import { listStatements, retryLocked, type RetryOptions, runStatement, runStatements } from './run-statements.ts';

export interface MigrateOptions extends RetryOptions {
  /** In milliseconds. */
  readonly lockTimeout: number;
  /** Channel on which the API listens for reloads. */
  readonly channel: string;
}

/** For a database that nobody else uses. */
export const ALONE: MigrateOptions = {
  lockTimeout: 0,
  channel: 'rowhouse',
  pause: () => Promise.resolve(),
  report: () => undefined,
};

/** Any number works, as long as every version of the program uses it. */
const LOCK = 'hashtext($$rowhouse.migrations$$)';

/** @returns how many were applied; or what is wrong: the migrations before it stay applied */
export async function applyMigrations(
  client: SqlClient,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<Outcome<number>> {
  return holdLock(client, options, async () => {
    await createLedger(client);
    const planned = planMigration(migrations, await readLedger(client));
    if (!planned.ok) return planned;
    const refused = planned.value.map(({ migration }) => listStatements(migration)).filter((list) => !list.ok);
    if (refused.length > 0) return fail(refused.map(({ error }) => error));
    const late = describeLate(planned.value, migrations);
    if (late !== undefined)
      options.report(`Warning: ${late.order}. Compare the two afterwards: rowhouse diff DIR URI\n`);
    for (const [index, next] of planned.value.entries()) {
      const problem = await applyMigration(client, next, options);
      if (problem === undefined) continue;
      await notifyReload(client, index, options);
      return fail([explainLate(problem, late)]);
    }
    await notifyReload(client, planned.value.length, options);
    return ok(planned.value.length);
  });
}

/** What a later branch wrote may not fit what another one has already changed. */
function explainLate(problem: Problem, late: Late | undefined): Problem {
  if (late === undefined) return problem;
  const hint = `${late.order}. If no other database has these files, rename and edit them, or delete them and run rowhouse diff --write NAME DIR URI again: ${late.moves}`;
  return { ...problem, hint: problem.hint === undefined ? hint : `${problem.hint}\n${hint}` };
}

async function notifyReload(client: SqlClient, applied: number, { channel }: MigrateOptions): Promise<void> {
  if (applied > 0) await client.query('select pg_notify($1, $2)', [channel, 'reload schema']);
}

/** Records the files up to this one as applied, without running them. @returns how many were recorded */
export async function recordBaseline(
  client: SqlClient,
  migrations: readonly Migration[],
  name: string,
  options: MigrateOptions,
): Promise<Outcome<number>> {
  const last = migrations.findIndex((migration) => migration.name === name.replace(/\.sql$/iu, ''));
  if (last === -1) return fail([problemOf(undefined, `there is no migration ${name}`)]);
  return holdLock(client, options, async () => {
    await createLedger(client);
    const planned = planMigration(migrations, await readLedger(client));
    if (!planned.ok) return planned;
    const upTo = new Set(migrations.slice(0, last + 1));
    const recorded = planned.value.filter(({ migration }) => upTo.has(migration));
    for (const { migration } of recorded) await recordApplied(client, migration, 0);
    return ok(recorded.length);
  });
}

async function holdLock<T>(
  client: SqlClient,
  options: MigrateOptions,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  await setLockTimeout(client, options.lockTimeout);
  const problem = await retryLocked(() => takeLock(client), options);
  if (problem !== undefined) return fail([problem]);
  const result = await work();
  await client.query(`select pg_advisory_unlock(${LOCK})`);
  return result;
}

/** @param milliseconds 0 for no limit */
async function setLockTimeout(client: SqlClient, milliseconds: number): Promise<void> {
  await client.query(`select set_config('lock_timeout', $1, false)`, [`${milliseconds}ms`]);
}

async function takeLock(client: SqlClient): Promise<Problem | undefined> {
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`);
    return undefined;
  } catch (error) {
    const sqlstate: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (sqlstate !== '55P03') throw error;
    return { ...problemOf(undefined, 'another run of `rowhouse migrate` holds the lock'), sqlstate };
  }
}

async function applyMigration(
  client: SqlClient,
  { migration, isResumed }: PlannedMigration,
  options: MigrateOptions,
): Promise<Problem | undefined> {
  const statements = listStatements(migration);
  if (!statements.ok) return statements.error;
  const start = performance.now();
  const [single] = statements.value;
  const problem = await retryLocked(
    () =>
      migration.isBare && single !== undefined
        ? runBare(client, migration, single, isResumed, options)
        : runInTransaction(client, migration, statements.value),
    options,
  );
  if (problem !== undefined) return problem;
  options.report(`${migration.name}  ${Math.round(performance.now() - start)} ms\n`);
  await resetSession(client, options);
  return undefined;
}

/** What a file sets for its session must not reach the next one. */
async function resetSession(client: SqlClient, { lockTimeout }: MigrateOptions): Promise<void> {
  await client.query('reset session authorization; reset role; reset all');
  await setLockTimeout(client, lockTimeout);
}

async function runInTransaction(
  client: SqlClient,
  migration: Migration,
  statements: readonly Statement[],
): Promise<Problem | undefined> {
  const start = performance.now();
  await client.query('begin');
  const problem = await runStatements(client, statements);
  if (problem !== undefined) {
    await client.query('rollback');
    return problem;
  }
  await client.query('reset session authorization; reset role');
  await recordApplied(client, migration, performance.now() - start);
  return checkDeferred(client, migration, 'commit');
}

/** Runs what checks deferred constraints. No statement of the file is to blame alone. */
async function checkDeferred(client: SqlClient, { file }: Migration, sql: string): Promise<Problem | undefined> {
  try {
    await client.query(sql);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { code: sqlstate, message, detail, hint } = error;
    return { ...problemOf(file.path, message, hint), detail, sqlstate };
  }
}

/** What the statement created exists, or what it dropped does not: an interrupted run came as far as that. */
const ALREADY_DONE: ReadonlySet<string | undefined> = new Set(['42P07', '42710', '42704', '42P01']);

/** Nobody else waits for a statement that runs concurrently while it waits for a lock. */
const CONCURRENT = /concurrently/iu;

async function runBare(
  client: SqlClient,
  migration: Migration,
  statement: Statement,
  isResumed: boolean,
  { lockTimeout }: MigrateOptions,
): Promise<Problem | undefined> {
  const text = statement.part.kind === 'statement' ? statement.part.text : '';
  const start = performance.now();
  await recordBegun(client, migration);
  await setLockTimeout(client, CONCURRENT.test(text) ? 0 : lockTimeout);
  await dropInvalidIndex(client, text);
  const problem = await runStatement(client, statement);
  if (problem !== undefined && !(isResumed && ALREADY_DONE.has(problem.sqlstate))) return problem;
  await recordApplied(client, migration, performance.now() - start);
  return undefined;
}

const CREATE_INDEX =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(?<index>"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)\s+on\s+(?:only\s+)?(?<table>(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)(?:\s*\.\s*(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*))?)/iu;

const FIND_INVALID = `
select namespace.nspname as schema, class.relname as name
from pg_index index
join pg_class class on class.oid = index.indexrelid
join pg_namespace namespace on namespace.oid = class.relnamespace
where index.indrelid = to_regclass($1) and not index.indisvalid and class.relname = (parse_ident($2))[1]`;

/** A build that was interrupted, or found duplicates, leaves an index that PostgreSQL maintains but does not use. */
async function dropInvalidIndex(client: SqlClient, text: string): Promise<void> {
  const { index, table } = CREATE_INDEX.exec(text)?.groups ?? {};
  if (index === undefined || table === undefined) return;
  const { rows } = await client.query<{ schema: string; name: string }>(FIND_INVALID, [table, index]);
  for (const { schema, name } of rows) await client.query(`drop index concurrently ${quoteName(schema, name)}`);
}

export interface Rehearsal {
  readonly run: readonly string[];
  /** Names with the reason why they could not run. */
  readonly notRun: readonly (readonly [name: string, reason: string])[];
}

/** unsafe_new_enum_value_usage: the value must be committed first. */
const NEEDS_COMMIT = '55P04';

/** Runs everything in one transaction and rolls it back. */
export async function rehearseMigrations(
  client: SqlClient,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<Outcome<Rehearsal>> {
  return holdLock(client, options, async () => {
    const planned = planMigration(migrations, await readLedger(client));
    if (!planned.ok) return planned;
    const late = describeLate(planned.value, migrations);
    if (late !== undefined)
      options.report(`Note: ${late.order}. If no other database has them, rename them: ${late.moves}\n`);
    await client.query('begin');
    const rehearsal = await rehearse(client, planned.value, options);
    await client.query('rollback');
    return rehearsal.ok ? rehearsal : fail(rehearsal.error.map((problem) => explainLate(problem, late)));
  });
}

async function rehearse(
  client: SqlClient,
  planned: readonly PlannedMigration[],
  options: MigrateOptions,
): Promise<Outcome<Rehearsal>> {
  const run: string[] = [];
  const notRun: (readonly [string, string])[] = [];
  for (const { migration } of planned) {
    const statements = listStatements(migration);
    if (!statements.ok) return fail([statements.error]);
    if (migration.isBare) {
      notRun.push([migration.name, 'it runs outside of a transaction']);
      continue;
    }
    await client.query('savepoint migration');
    const problem =
      (await runStatements(client, statements.value)) ?? (await checkDeferred(client, migration, CHECK_DEFERRED));
    if (problem === undefined) {
      run.push(migration.name);
      await resetSession(client, options);
      continue;
    }
    const reason = reasonNotRun(problem, notRun.length > 0);
    if (reason === undefined) return fail([problem]);
    await client.query('rollback to savepoint migration');
    notRun.push([migration.name, reason]);
  }
  return ok({ run, notRun });
}

const CHECK_DEFERRED = 'set constraints all immediate; set constraints all deferred';

/** @returns why the file can run all the same when those before it are committed; undefined if it cannot */
function reasonNotRun({ sqlstate, message }: Problem, isAnyMissing: boolean): string | undefined {
  if (sqlstate === NEEDS_COMMIT) return 'it uses an enum value that must be committed first';
  return isAnyMissing && MISSING.has(sqlstate) ? `it may need one that was not run: ${message}` : undefined;
}
