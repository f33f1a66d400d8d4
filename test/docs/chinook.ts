// The database of `docs/questions.md`, if its file exists next to the repository.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageDatabase } from './page-stage.ts';

export const CHINOOK_FILE: string = fileURLToPath(new URL('../../../shared/data/chinook.sql', import.meta.url));

/** Roles outlive the database. */
const ROLES = `
  do $$ begin create role web_anon; exception when duplicate_object then null; end $$;
  do $$ begin create role authenticator login; exception when duplicate_object then null; end $$;
  grant web_anon to authenticator;
  grant select on all tables in schema public to web_anon;
`;

/** Leaves out the statements that create a database and connect to it. */
export function readChinook(): PageDatabase {
  const text = readFileSync(CHINOOK_FILE, 'utf8');
  const options = {
    'db-schemas': 'public',
    'db-anon-role': 'web_anon',
    'db-aggregates-enabled': true,
    'db-plan-enabled': true,
    'server-etags': true,
  };
  return { sql: `${text.slice(text.indexOf('CREATE TABLE'))}${ROLES}`, options };
}
