// A database with the schema of the conformance cases, and servers over it, in the names of one dialect.
import type { Client } from 'pg';
import { type DialectName, DIALECTS } from '../../src/contract/dialect.ts';
import { type RunningServer, startServer } from '../../src/index.ts';
import { environmentName } from '../../src/config/table/option.ts';
import { runRoleSql, type TestDatabase, connect } from '../support/database.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { BASE } from './conformance-groups.ts';
import { toPostgrestNames } from './dialect-names.ts';
import { loginUri } from './serve.ts';

const SETTINGS = 'app.settings.';
const QUIET = { writeOut: () => {}, writeError: () => {} };

/** A dialect, and a database with the schema in its names. */
export interface Side {
  readonly dialect: DialectName;
  readonly database: TestDatabase;
  /** Runs what the cases need between two requests. */
  readonly client: Client;
}

/** What `fixture.reset()` begins with. */
const EMPTYING = /truncate ([^;]+) restart identity cascade;/u;

/** To delete a few rows takes a hundredth of the time that new files take. */
function deleteRows(_truncation: string, tables: string): string {
  const deletions = tables.split(/,\s*/u).map((table) => `delete from ${table};`);
  return `
    perform set_config('session_replication_role', 'replica', true);
    ${deletions.join('\n')}
    perform set_config('session_replication_role', 'origin', true);
    perform setval(s.seqrelid, s.seqstart, false) from pg_sequence as s
      join pg_depend as d on d.classid = 'pg_class'::regclass and d.objid = s.seqrelid and d.refclassid = 'pg_class'::regclass
      where d.deptype in ('a', 'i');`;
}

/** Loads a fixture. */
export function prepare(uri: string, fixture: string): Promise<void> {
  return runRoleSql(uri, fixture.replace(EMPTYING, deleteRows));
}

export async function openSide(dialect: DialectName, database: TestDatabase): Promise<Side> {
  const client = await connect(database.uri);
  return { dialect, database, client };
}

export async function closeSide({ client, database }: Side): Promise<void> {
  await client.end();
  await database.drop();
}

export function serve(
  { dialect, database }: Side,
  config: NonNullable<ConformanceCase['config']>,
): Promise<RunningServer> {
  const base = { ...BASE, 'server-host': '127.0.0.1', 'server-port': 0 };
  const stated = Object.entries({ ...base, 'db-uri': loginUri(database.uri), ...config, dialect })
    .filter(([, value]) => value !== null)
    .map(([name, value]): readonly [string, string] => [
      name,
      dialect === 'svc' ? String(value) : toPostgrestNames(String(value)),
    ]);
  const isSetting = ([name]: readonly [string, string]): boolean => name.startsWith(SETTINGS);
  // Variables also accept older names of options, but cannot express every setting.
  const environment = stated
    .filter((option) => !isSetting(option))
    .map(([name, value]) => [environmentName(name, DIALECTS[dialect].environmentPrefix), value]);
  const appSettings = stated.filter(isSetting).map(([name, value]) => [name.slice(SETTINGS.length), value]);
  return startServer({
    environment: Object.fromEntries(environment),
    options: { appSettings: Object.fromEntries(appSettings) },
    output: QUIET,
  });
}

export function portOf({ apiAddress }: RunningServer): number {
  return Number(apiAddress.slice(apiAddress.lastIndexOf(':') + 1));
}
