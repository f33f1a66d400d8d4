// `rowhouse doctor`: checks the configuration, and the configured database as the login role, and reports problems.
import { existsSync } from 'node:fs';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { Pool } from '../../src/postgres/pool/pool.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { INIT_DEFAULTS } from '../command-line/choices.ts';
import { isProjectFolder } from '../command-line/operands.ts';
import { readProject } from '../project/folder/read-project.ts';
import { suggestDatabase } from '../support/configuration.ts';
import { describeFailure } from '../support/describe-failure.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { withWholeConfig } from '../support/with-config.ts';
import { applyAllowances } from './apply-allowances.ts';
import { DOCTOR_LINTS } from './lints/all.ts';
import { type LocatedFinding, rankFindings, sortFindings } from './lints/finding.ts';
import { proveFindings } from './probes/prove-findings.ts';
import type { Client } from './probes/statements.ts';
import { runLints } from './run-lints.ts';
import { indexSources } from './source-index.ts';
import { checkHeap, findHeapFacts } from './doctor/heap.ts';
import { renderReport } from './render-report.ts';
import { checkFiles, checkSecret, findSecretFiles } from './doctor/secrets.ts';
import { createClient, StatementFailure } from './doctor/session-client.ts';
import { writeFixes } from './write-fixes.ts';

/** Exit code if the checks could not run. */
const FAILED = 2;

interface DoctorOptions {
  readonly isJson: boolean;
  /** Whether to show notes too. */
  readonly isVerbose: boolean;
  /** Whether to write a migration. */
  readonly isFix: boolean;
}

/** @returns the exit code: 2 if a finding is an error, 1 if one is a warning, else 0 */
export async function examine({ isJson, isVerbose, isFix }: DoctorOptions, location: ConfigLocation): Promise<number> {
  const folder = process.cwd();
  const examineAll = async (
    config: AppConfig,
    pool: Pool,
  ): Promise<Record<'inDatabase' | 'own', readonly LocatedFinding[]> | undefined> => {
    const inDatabase = await examineDatabase(pool, config, folder);
    if (inDatabase.ok) {
      const own = [...checkSecret(config.jwtSecret), ...checkFiles(findSecretFiles(location))];
      return {
        inDatabase: inDatabase.value,
        own: own.map((finding) => Object.assign(finding, { file: null, line: null })),
      };
    }
    const command = findOwnCommand();
    const alternative = isProjectFolder('.') ? `${command} check for the SQL files of this folder` : undefined;
    const advice = suggestDatabase(`${command} doctor`, alternative, config, location);
    const failure = describeFailure(inDatabase.error, DIALECTS[config.dialect]);
    return void process.stderr.write(`${failure}${advice}\n`);
  };
  warnOfUnreadFile(location);
  const examined = await withWholeConfig(location, examineAll, 'ifUnreachable');
  if (examined === undefined) return FAILED;
  const findings = sortFindings([...examined.own, ...examined.inDatabase]);
  process.stdout.write(renderReport(findings, { isJson, isVerbose }));
  if (isFix) {
    const shown = examined.inDatabase.filter(({ level }) => isVerbose || level !== 'note');
    const file = await writeFixes(sortFindings(shown), folder);
    process.stderr.write(
      file === undefined ? 'Nothing to fix in SQL.\n' : `Wrote ${file}. Read it before you apply it.\n`,
    );
  }
  return rankFindings(findings);
}

/** No command reads a file that it was not told to read. */
function warnOfUnreadFile({ file }: ConfigLocation): void {
  const { file: usual } = INIT_DEFAULTS;
  if (file !== undefined || !existsSync(usual)) return;
  process.stderr.write(`Note: ${usual} was not read. To check it, run ${findOwnCommand()} doctor ${usual}\n`);
}

/** @param folder the allowances of a project there apply. @returns the findings, in no particular order */
export function examineDatabase(
  pool: Pool,
  config: AppConfig,
  folder: string,
): Promise<Result<readonly LocatedFinding[], ApiError>> {
  return pool.use(async (session) => {
    try {
      const client = createClient(session);
      const findings = [...(await lintAll(client, config)), ...checkHeap(await findHeapFacts(client))];
      const project = await readProject(folder);
      const sources = indexSources(project.ok ? project.value : { roles: undefined, schema: [] });
      return ok(applyAllowances(findings, sources, () => false));
    } catch (error) {
      if (!(error instanceof StatementFailure)) throw error;
      return fail(error.reason);
    }
  });
}

/** The roles that the login role can become, itself, and the anonymous role ($1). */
const ROLES = `WITH RECURSIVE granted(oid) AS (
  SELECT oid FROM pg_catalog.pg_roles WHERE rolname = session_user
  UNION
  SELECT membership.roleid
  FROM granted JOIN pg_catalog.pg_auth_members AS membership ON membership.member = granted.oid
)
SELECT rolname AS name FROM pg_catalog.pg_roles
WHERE (oid IN (SELECT oid FROM granted) OR rolname = $1::text) AND rolname !~ '^pg_'`;

async function lintAll(client: Client, config: AppConfig): ReturnType<typeof runLints> {
  const { dbSchemas: schemas, dbAnonRole: anonymous, dbChannel, dbChannelEnabled, livePublication, liveDbUri } = config;
  const { rows } = await client.query<{ name: string }>(ROLES, [anonymous ?? null]);
  const subject = {
    schemas,
    roles: rows.map(({ name }) => name),
    anonymous,
    channel: dbChannelEnabled ? dbChannel : undefined,
    publication: livePublication,
    // Another login cannot be checked with this connection.
    replicates: liveDbUri === undefined,
  };
  return proveFindings(client, await runLints(client, subject, DOCTOR_LINTS), { hasWrites: false });
}
