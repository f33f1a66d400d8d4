// `rowhouse deploy`: shows what a database lacks of a project, does it after a yes, and checks the result as the login role.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { type SqlClient, withConnection, withDatabase } from '../embedded/script/sql-session.ts';
import { askYesOrNo } from '../init/questions.ts';
import { openTerminal } from '../init/terminal.ts';
import { applyMigrations, rehearseMigrations } from '../migrate/apply-migrations.ts';
import {
  readFolder,
  readProjectOptions,
  renderRehearsal,
  reportProgress,
  withErrors,
  withTarget,
} from '../migrate/run-migrate.ts';
import { type Outcome, type Problem, problemOf, reportProblems } from '../project/folder/problem.ts';
import { readSource, ROLES_FILE } from '../project/folder/read-project.ts';
import { runRoles } from '../project/run/run-roles.ts';
import { makeScramVerifier } from '../support/scram-verifier.ts';
import { checkDeployed, renderNeeds } from './check-deployed.ts';
import { askPassword, readGivenPassword } from './login-password.ts';
import { type DeployPlan, isNothingToDo, planDeploy, type Release, renderPlan } from './plan-deploy.ts';

interface DeployCommand {
  /** The folder of the project. */
  readonly folder: string;
  /** Connects as the owner of the schema. */
  readonly uri: string;
  /** In milliseconds. */
  readonly lockTimeout: number;
  /** File with the password of the login role. */
  readonly passwordFile: string | undefined;
  /** `ask` shows the plan and asks; `dryRun` only rehearses it. */
  readonly mode: 'ask' | 'run' | 'dryRun';
}

/** @returns 0; 1 if the check finds an error; 2 if something could not run */
export async function deploy(command: DeployCommand): Promise<0 | 1 | 2> {
  const done = await runDeploy(command);
  return done.ok ? done.value : reportProblems(done.error);
}

async function runDeploy(command: DeployCommand): Promise<Outcome<0 | 1>> {
  const { folder, uri, mode, passwordFile } = command;
  const given = await readGivenPassword(passwordFile);
  if (!given.ok) return fail([problemOf(undefined, given.error)]);
  const release = await readRelease(folder);
  if (!release.ok) return release;
  const config = readProjectOptions(folder, uri);
  if (!config.ok) return config;
  const plan = await withErrors(() => planDeploy(uri, release.value, given.value));
  if (!plan.ok) return plan;
  process.stdout.write(renderPlan(path.resolve(folder), plan.value));
  const channel = config.value.dbChannel;
  if (mode === 'dryRun') {
    if (plan.value.database !== undefined) return print('Nothing was run: the database does not exist yet.\n');
    const options = { lockTimeout: command.lockTimeout, channel, pause, report: reportProgress };
    const rehearsed = await withTarget(uri, (client) => rehearseMigrations(client, release.value.migrations, options));
    return rehearsed.ok ? print(renderRehearsal(rehearsed.value)) : rehearsed;
  }
  const isDone = isNothingToDo(plan.value);
  const accepted = isDone ? ok(undefined) : await accept(mode);
  if (!accepted.ok) return accepted;
  const password = await choosePassword(plan.value, given.value);
  if (!password.ok) return password;
  const ran = isDone
    ? ok(undefined)
    : await withErrors(() => carryOut(command, release.value, plan.value, password.value, channel));
  if (!ran.ok) return ran;
  process.stdout.write(renderNeeds(uri, plan.value, config.value));
  return ok(await checkDeployed(folder, uri, plan.value.login?.role, password.value));
}

/** @returns the files that concern a database; there must be a migration */
async function readRelease(folder: string): Promise<Outcome<Release>> {
  const migrations = await readFolder(folder);
  if (!migrations.ok) return migrations;
  const isGiven = existsSync(path.join(folder, ROLES_FILE));
  const roles = isGiven ? await readSource(folder, ROLES_FILE) : ok(undefined);
  return roles.ok ? ok({ roles: roles.value, migrations: migrations.value }) : fail([roles.error]);
}

async function accept(mode: 'ask' | 'run'): Promise<Outcome<undefined>> {
  if (mode === 'run') return ok(undefined);
  const terminal = openTerminal();
  if (terminal === undefined) return fail([problemOf(undefined, 'Nothing was done. Pass --yes to do it.')]);
  const answer = await askYesOrNo((question) => terminal.ask(question), 'Do this?');
  return answer === true ? ok(undefined) : fail([problemOf(undefined, 'Nothing was done.')]);
}

async function choosePassword({ login }: DeployPlan, given: string | undefined): Promise<Outcome<string | undefined>> {
  if (given !== undefined || login?.password !== 'set') return ok(given);
  const asked = await askPassword(login.role);
  return asked.ok ? asked : fail([problemOf(undefined, `Nothing was done. ${asked.error}`)]);
}

async function carryOut(
  { uri, lockTimeout }: DeployCommand,
  release: Release,
  { database, login, roles }: DeployPlan,
  password: string | undefined,
  channel: string,
): Promise<Outcome<undefined>> {
  if (database !== undefined)
    await withConnection(withDatabase(uri, 'postgres'), (client) =>
      client.query(`create database ${escapeIdentifier(database)}`),
    );
  return withTarget(uri, async (client) => {
    if (release.roles !== undefined && roles.length > 0) {
      const ran = await runRoles(client, release.roles, 'missing');
      if (!ran.ok) return fail([ran.error]);
      for (const difference of ran.value) process.stderr.write(`${difference}\n`);
    }
    const refusal = login?.password === 'set' ? await setPassword(client, login.role, password ?? '') : undefined;
    if (refusal !== undefined) return fail([refusal]);
    const options = { lockTimeout, channel, pause, report: reportProgress };
    const applied = await applyMigrations(client, release.migrations, options);
    return applied.ok ? ok(undefined) : applied;
  });
}

/** @returns why the role of the URI may not do that */
async function setPassword(client: SqlClient, role: string, password: string): Promise<Problem | undefined> {
  try {
    await client.query(`alter role ${escapeIdentifier(role)} password ${escapeLiteral(makeScramVerifier(password))}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return problemOf(undefined, `The password of ${role} was not set: ${error.message}`, 'Connect as a superuser.');
  }
}

function print(text: string): Result<0, never> {
  process.stdout.write(text);
  return ok(0);
}
