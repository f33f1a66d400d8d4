// `rowhouse doctor`: checks the configuration, and the configured database as the login role, and reports problems.
import { existsSync } from 'node:fs';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import { type Check, renderCheck, type Finding, rankFindings, sortFindings } from './checks/check.ts';
import { checkHeap, findHeapFacts } from './heap.ts';
import { renderFindings, renderFindingsAsJson } from './render-findings.ts';
import { checkFiles, checkSecret, findSecretFiles } from './secrets.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { Pool } from '../../src/postgres/pool/pool.ts';
import { readInTransaction, type TransactionQuery } from '../../src/postgres/session/query.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import type { CommandOf } from '../command-line/command.ts';
import { INIT_DEFAULTS } from '../command-line/init-arguments.ts';
import { isProjectFolder } from '../command-line/is-folder.ts';
import { suggestDatabase } from '../support/configuration.ts';
import { describeFailure } from '../support/describe-failure.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { withWholeConfig } from '../support/with-config.ts';
import { ROLES_WITHOUT_ACCESS, TABLES_WITHOUT_GRANTS } from './checks/access.ts';
import { POLICY_COLUMNS } from './checks/indexes.ts';
import { readSharedLint, renderSharedLint, REQUEST_ROLES, SHARED_LINTS } from './checks/lints.ts';
import { LIVE_IDENTITIES, LIVE_SETUP } from './checks/live.ts';
import { RELOAD_TRIGGER, TIMEOUTS } from './checks/operation.ts';
import { BYPASSING_LOGIN, INHERITING_LOGIN, SUPERUSERS } from './checks/roles.ts';
import { TABLES } from './checks/tables.ts';
import { writeFixes } from './write-fixes.ts';

/** Exit code if the checks could not run. */
const FAILED = 2;

/** @returns the exit code: 2 if a finding is an error, 1 if one is a warning, else 0 */
export async function examine(
  { isJson, isVerbose, isFix }: CommandOf<'doctor'>,
  location: ConfigLocation,
): Promise<number> {
  let inSql: readonly Finding[] = [];
  const examineAll = async (config: AppConfig, pool: Pool): Promise<readonly Finding[] | undefined> => {
    const inDatabase = await examineDatabase(pool, config);
    if (!inDatabase.ok) {
      const own = findOwnCommand();
      const alternative = isProjectFolder('.') ? `${own} check for the SQL files of this folder` : undefined;
      const advice = suggestDatabase({ command: `${own} doctor`, alternative }, config, location);
      const failure = describeFailure(inDatabase.error, DIALECTS[config.dialect]);
      return void process.stderr.write(`${failure}${advice}\n`);
    }
    inSql = sortFindings(inDatabase.value);
    const files = checkFiles(findSecretFiles(location));
    return sortFindings([...checkSecret(config.jwtSecret), ...files, ...inDatabase.value]);
  };
  warnOfUnreadFile(location);
  const findings = await withWholeConfig(location, examineAll, { ignoreFailures: 'ifUnreachable' });
  if (findings === undefined) return FAILED;
  process.stdout.write(isJson ? renderFindingsAsJson(findings) : renderFindings(findings, isVerbose));
  if (isFix) {
    const shown = isVerbose ? inSql : inSql.filter(({ severity }) => severity !== 'info');
    const file = await writeFixes(shown, process.cwd());
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

export function examineDatabase(pool: Pool, config: AppConfig): Promise<Result<readonly Finding[], ApiError>> {
  return pool.use((session) => readInTransaction(session, (run) => runChecks(run, config)));
}

async function runChecks(run: TransactionQuery, config: AppConfig): Promise<Result<readonly Finding[], ApiError>> {
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    const found = await runCheck(run, check, config);
    if (!found.ok) return found;
    findings.push(...found.value);
  }
  const shared = await runSharedLints(run, config);
  if (!shared.ok) return shared;
  return ok([...findings, ...shared.value, ...checkHeap(await findHeapFacts(run))]);
}

async function runSharedLints(run: TransactionQuery, config: AppConfig): Promise<Result<readonly Finding[], ApiError>> {
  const { text, parameters } = renderCheck(REQUEST_ROLES, config);
  const named = await run(text, parameters);
  if (!named.ok) return named;
  const roles = named.value.flatMap(([name]) => name ?? []);
  const findings: Finding[] = [];
  for (const lint of SHARED_LINTS) {
    const statement = renderSharedLint(lint, config.dbSchemas, roles);
    const rows = await run(statement.text, statement.parameters);
    if (!rows.ok) return rows;
    findings.push(...readSharedLint(lint, rows.value));
  }
  return ok(findings);
}

async function runCheck(
  run: TransactionQuery,
  check: Check,
  config: AppConfig,
): Promise<Result<readonly Finding[], ApiError>> {
  const { text, parameters } = renderCheck(check, config);
  const rows = await run(text, parameters);
  return rows.ok ? ok(check.read(rows.value, config)) : rows;
}

/** The doctor's own checks of the database, in the order in which findings of equal severity are reported. */
const CHECKS: readonly Check[] = [
  SUPERUSERS,
  BYPASSING_LOGIN,
  INHERITING_LOGIN,
  ROLES_WITHOUT_ACCESS,
  TABLES_WITHOUT_GRANTS,
  TABLES,
  TIMEOUTS,
  POLICY_COLUMNS,
  LIVE_SETUP,
  LIVE_IDENTITIES,
  RELOAD_TRIGGER,
];
