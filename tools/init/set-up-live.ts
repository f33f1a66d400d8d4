// `rowhouse init --live`: shows the SQL that lets rows be watched, and runs it once confirmed.
import { quoteShownIdentifier } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { query } from '../../src/postgres/session/query.ts';
import {
  decodeLiveSetup,
  LIVE_PUBLICATION,
  LIVE_SETUP_SQL,
  type LiveSetup,
  renderPublication,
  spellTable,
} from '../../src/extensions/live/publication.ts';
import { renderArrayLiteral } from '../../src/sql/text/array-literal.ts';
import { listExistingTables, proposeSchema } from './existing-tables.ts';
import { type Ask, askUri, askYesOrNo, type InitOptions, isOnlyShown } from './questions.ts';
import { INIT_DEFAULTS } from '../command-line/choices.ts';
import { failWith, openSession, runSetup } from './run-setup.ts';

const SERVER_QUERY = `SELECT pg_catalog.current_setting('wal_level') = 'logical',
  (SELECT rolreplication OR rolsuper FROM pg_catalog.pg_roles WHERE rolname = $1::text)`;
const LEVEL = 'ALTER SYSTEM SET wal_level = logical;';

interface Missing {
  /** Runs in one transaction. */
  readonly statements: readonly string[];
  readonly isLevelWrong: boolean;
  readonly notes: readonly string[];
}

/** An error is a message for the user. */
export async function setUpLive(options: InitOptions, ask: Ask | undefined): Promise<Result<undefined, string>> {
  const target = await askUri(options.uri, ask, 'a user who owns the tables');
  if (!target.ok) return target;
  const missing = await findMissing(target.value, options);
  if (!missing.ok) return missing;
  process.stdout.write(renderMissing(missing.value));
  if (isOnlyShown(options.mode, ask)) return ok(undefined);
  const isAccepted = ask === undefined || (await askYesOrNo(ask, '\nRun this?'));
  return isAccepted === true ? await run(target.value, missing.value) : fail('Nothing was done.');
}

async function findMissing(uri: string, options: InitOptions): Promise<Result<Missing, string>> {
  const { anonRole = INIT_DEFAULTS.anonRole, loginRole = INIT_DEFAULTS.loginRole } = options;
  const tables = options.schema === undefined ? await listExistingTables(uri, anonRole) : ok([]);
  if (!tables.ok) return failWith(tables);
  const schema = options.schema ?? proposeSchema(tables.value, INIT_DEFAULTS.schema);
  const session = await openSession(uri);
  if (!session.ok) return session;
  const setup = await query(session.value, LIVE_SETUP_SQL, [LIVE_PUBLICATION, renderArrayLiteral([schema])]);
  const server = await query(session.value, SERVER_QUERY, [loginRole]);
  await session.value.close();
  if (!setup.ok) return failWith(setup);
  if (!server.ok) return failWith(server);
  const [isLogical, mayReplicate] = server.value[0] ?? [];
  const found = decodeLiveSetup(setup.value);
  if (!found.hasPublication && !found.tables.some(({ hasIdentity }) => hasIdentity))
    return fail(
      `Nothing was done. The schema ${schema} has no table with a primary key. Name another schema with --schema.`,
    );
  const missing = describeMissing(found, loginRole, mayReplicate);
  return ok({ ...missing, isLevelWrong: isLogical !== 't' });
}

/** @param mayReplicate null if the role does not exist */
function describeMissing(
  setup: LiveSetup,
  loginRole: string,
  mayReplicate: string | null | undefined,
): Pick<Missing, 'statements' | 'notes'> {
  const role = quoteShownIdentifier(loginRole);
  const grant = mayReplicate === 'f' ? [`ALTER ROLE ${role} REPLICATION;`] : [];
  const isUnknown = mayReplicate === null || mayReplicate === undefined;
  return {
    statements: [...renderPublication(setup), ...grant],
    notes: [
      ...setup.tables
        .filter(({ hasIdentity }) => !hasIdentity)
        .map(
          (table) => `Left out, because its UPDATE and DELETE would fail without a primary key: ${spellTable(table)}`,
        ),
      ...(grant.length > 0
        ? [
            `A superuser must grant REPLICATION. ${role} can then read every published row. For another login, see live-db-uri.`,
          ]
        : []),
      ...(isUnknown ? [`There is no role ${role}. The login role needs REPLICATION; name it with --login-role.`] : []),
    ],
  };
}

function renderMissing({ statements, isLevelWrong, notes }: Missing): string {
  const level = isLevelWrong ? ['-- Requires a superuser, and a restart of PostgreSQL.', LEVEL] : [];
  const lines = [...statements, ...level, ...notes.map((note) => `-- ${note}`)];
  return `${(lines.length === 0 ? ['-- Nothing is missing.'] : lines).join('\n')}\n`;
}

async function run(uri: string, { statements, isLevelWrong }: Missing): Promise<Result<undefined, string>> {
  const ran = await runSetup(uri, statements, []);
  if (!ran.ok) return ran;
  const level = isLevelWrong ? await setLevel(uri) : ok(undefined);
  if (!level.ok) return level;
  const restart = isLevelWrong ? 'Restart PostgreSQL, and add' : 'Add';
  process.stdout.write(`\nDone. ${restart} this to the configuration:\n  live-publication = "${LIVE_PUBLICATION}"\n`);
  return ok(undefined);
}

/** ALTER SYSTEM cannot run in a transaction. */
async function setLevel(uri: string): Promise<Result<undefined, string>> {
  const session = await openSession(uri);
  if (!session.ok) return session;
  const reply = await query(session.value, LEVEL);
  await session.value.close();
  return reply.ok ? ok(undefined) : failWith(reply, 'The rest is done, but wal_level was not set: ');
}
