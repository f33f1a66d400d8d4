// `rowhouse migrate`: applies the files of `migrations/` to a database (`project.md` §3 item 6).
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import { createConfigReader, overrideOptions } from '../../src/service/configuration/read-config.ts';
import { fail, ok } from '../../src/contract/result.ts';
import { ConnectError } from '../embedded/script/connect-error.ts';
import { type SqlClient, withConnection } from '../embedded/script/sql-session.ts';
import { type Outcome, type Problem, problemOf, reportProblems } from '../project/folder/problem.ts';
import { CONFIG_FILE } from '../project/folder/read-project.ts';
import { messageOf } from '../support/thrown.ts';
import {
  applyMigrations,
  type MigrateOptions,
  recordBaseline,
  type Rehearsal,
  rehearseMigrations,
} from './apply-migrations.ts';
import { readLedger } from './ledger.ts';
import { renderStatus } from './plan-migration.ts';
import { type Migration, MIGRATIONS_FOLDER, readMigrations } from './read-migrations.ts';

interface MigrateCommand {
  /** The folder of the project. */
  readonly folder: string;
  /** Connects as the owner of the schema. */
  readonly uri: string;
  /** In milliseconds. */
  readonly lockTimeout: number;
  readonly action:
    | { readonly kind: 'apply' | 'status' | 'dryRun' }
    /** Records the migrations up to this one as applied. */
    | { readonly kind: 'baseline'; readonly name: string };
}

/** @returns 0 if everything is applied, 2 if something could not run */
export async function migrate(command: MigrateCommand): Promise<0 | 2> {
  const done = await runMigrate(command);
  if (!done.ok) return reportProblems(done.error);
  process.stdout.write(done.value);
  return 0;
}

async function runMigrate(command: MigrateCommand): Promise<Outcome<string>> {
  const { folder, uri, lockTimeout } = command;
  const migrations = await readFolder(folder);
  if (!migrations.ok) return migrations;
  const config = readProjectOptions(folder, uri);
  if (!config.ok) return config;
  const options = { lockTimeout, channel: config.value.dbChannel, pause, report: reportProgress };
  return withTarget(uri, (client) => runAction(client, migrations.value, command, options));
}

/** @returns the migrations of a project, which must have some */
export async function readFolder(folder: string): Promise<Outcome<readonly Migration[]>> {
  if (existsSync(path.join(folder, MIGRATIONS_FOLDER))) return readMigrations(folder);
  const hint = '`rowhouse diff --write NAME` writes the first migration.';
  return fail([problemOf(undefined, `${folder} has no folder ${MIGRATIONS_FOLDER}/`, hint)]);
}

/** Prints which migrations have been applied. */
export function reportProgress(text: string): void {
  process.stderr.write(text.startsWith('  ') ? text : `${escapeLine(text.trimEnd())}\n`);
}

/** Connects to the database that is to be changed. */
export async function withTarget<T>(
  uri: string,
  work: (client: SqlClient) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return withErrors(() => withConnection(uri, work));
}

/** Reports a database that cannot be reached, or refuses. */
export function withErrors<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  return work().catch((error: unknown) => fail([describeInterruption(error)]));
}

/** Says why a database could not be reached, or what it refused. */
function describeInterruption(error: unknown): Problem {
  if (error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)
    return problemOf(
      undefined,
      error.message,
      'The role keeps the schema rowhouse with the table migrations: it must be able to create and write them.',
    );
  if (error instanceof ConnectError) return problemOf(undefined, error.message, error.hint);
  // The driver's messages contain neither the URI nor the password.
  const message = messageOf(error);
  return problemOf(
    undefined,
    `The database is not available: ${message}`,
    'Run the command again: it continues where it stopped.',
  );
}

async function runAction(
  client: SqlClient,
  migrations: readonly Migration[],
  { action }: MigrateCommand,
  options: MigrateOptions,
): Promise<Outcome<string>> {
  switch (action.kind) {
    case 'status':
      return ok(renderStatus(migrations, await readLedger(client)));
    case 'dryRun': {
      const rehearsed = await rehearseMigrations(client, migrations, options);
      return rehearsed.ok ? ok(renderRehearsal(rehearsed.value)) : rehearsed;
    }
    case 'baseline': {
      const recorded = await recordBaseline(client, migrations, action.name, options);
      return recorded.ok ? ok(`Recorded ${count(recorded.value)} as applied, without running.\n`) : recorded;
    }
    case 'apply': {
      const applied = await applyMigrations(client, migrations, options);
      if (!applied.ok) return applied;
      return ok(applied.value === 0 ? 'Nothing to apply.\n' : `Applied ${count(applied.value)}.\n`);
    }
  }
}

export function renderRehearsal({ run, notRun }: Rehearsal): string {
  const lines = notRun.map(([name, reason]) => `Not run: ${escapeLine(name)}, because ${reason}\n`);
  return `Ran ${count(run.length)} and rolled everything back.\n${lines.join('')}`;
}

function count(migrations: number): string {
  return `${migrations} migration${migrations === 1 ? '' : 's'}`;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns the options of the configuration file, whose database is not used. */
export function readProjectOptions(folder: string, uri: string): Outcome<AppConfig> {
  const file = path.join(folder, CONFIG_FILE);
  const location = { file: existsSync(file) ? file : undefined, environment: {}, dialect: undefined, isLenient: true };
  const config = createConfigReader(overrideOptions(location, { 'db-uri': uri }))(new Map(), undefined);
  return config.ok ? config : fail([problemOf(undefined, config.error.message)]);
}
