// A small healthy database with its own roles, for the doctor to examine.
import { type Ended, runProgram, type SpawnOptions } from '../../support/spawned-server.ts';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { adminUri, createDatabase, runRoleSql, runSql } from '../../support/database.ts';
import { renderReloadTrigger } from '../../../tools/support/reload-trigger.ts';

export interface Roles {
  readonly login: string;
  readonly anon: string;
  readonly user: string;
}

export interface Patient extends Roles {
  /** Connects as the login role. */
  readonly uri: string;
  /** Runs SQL as the superuser. */
  sql(text: string): Promise<void>;
  drop(): Promise<void>;
}

/** @param render returns SQL that also creates the roles */
export async function createPatient(render: (roles: Roles) => string = renderHealthy): Promise<Patient> {
  const database = await createDatabase();
  const [login, anon, user] = [`${database.name}_gate`, `${database.name}_anon`, `${database.name}_user`];
  await runRoleSql(database.uri, render({ login, anon, user }));
  return {
    login,
    anon,
    user,
    uri: Object.assign(new URL(database.uri), { username: login, password: '' }).href,
    sql: (text) => runRoleSql(database.uri, text),
    drop: async () => {
      await database.drop();
      await runSql(adminUri(), `drop role ${login}; drop role ${anon}; drop role ${user}`);
    },
  };
}

function renderHealthy({ login, anon, user }: Roles): string {
  return `
    create role ${login} login noinherit;
    create role ${anon} nologin;
    create role ${user} nologin;
    alter role ${anon} set statement_timeout = '5s';
    alter role ${user} set statement_timeout = '5s';
    grant ${anon}, ${user} to ${login};
    create schema api;
    grant usage on schema api to ${anon}, ${user};
    create table api.note (id int primary key, author int not null, is_public boolean not null);
    create index on api.note (author);
    alter table api.note enable row level security;
    create policy own on api.note using (is_public or author = 1);
    grant select, insert, update, delete on api.note to ${anon}, ${user};
    create function api.whoever() returns int language sql security definer set search_path = '' as 'select 1';
    revoke execute on function api.whoever from public;
    ${renderReloadTrigger('svc').join('\n')}
    ${renderIdempotencySetup('idempotency').join('\n')}`;
}

export function runDoctor({ uri, anon }: Patient, args: readonly string[], spawn: SpawnOptions = {}): Promise<Ended> {
  const options = { 'db-uri': uri, 'db-schemas': 'api', 'db-anon-role': anon, ...spawn.options };
  return runProgram(['doctor', ...args], { ...spawn, options });
}

/** One entry of the JSON. */
export interface Reported {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly object: string;
  readonly why: string;
  readonly mend: string;
}

export interface Diagnosis {
  readonly code: number | null;
  readonly findings: readonly Reported[];
}

/** Runs the doctor with `--json`. */
export async function diagnose(patient: Patient): Promise<Diagnosis> {
  const { code, stdout, stderr } = await runDoctor(patient, ['--json']);
  if (stderr !== '') throw new Error(stderr);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Reported[] };
  return { code, findings };
}
