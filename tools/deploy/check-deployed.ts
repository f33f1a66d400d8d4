// What the server needs for a database that has been deployed, and whether it can use it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { overrideOptions } from '../../src/service/configuration/read-config.ts';
import { examineDatabase } from '../check/examine.ts';
import { rankFindings, sortFindings } from '../check/lints/finding.ts';
import { renderReport } from '../check/render-report.ts';
import { CONFIG_FILE } from '../project/folder/read-project.ts';
import { describeFailure } from '../support/describe-failure.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { withWholeConfig } from '../support/with-config.ts';
import { PASSWORD_VARIABLE } from './login-password.ts';
import { createLoginUri, type DeployPlan } from './plan-deploy.ts';

/** Says what the environment of the server must contain. Passwords are never shown. */
export function renderNeeds(uri: string, { login }: DeployPlan, config: AppConfig): string {
  if (login === undefined)
    return 'roles.sql creates no role with LOGIN, as which the server could connect: create role web_login login noinherit;\n';
  const verifies = (config.jwtSecret ?? config.jwtJwksUri) !== undefined;
  return [
    '',
    'The server needs in its environment:',
    `  SVC_DB_URI=${createLoginUri(uri, login.role, 'PASSWORD')}`,
    ...(verifies ? [] : ['  SVC_JWT_SECRET=… if requests have tokens: openssl rand -base64 48']),
    '',
  ].join('\n');
}

/**
 * Checks the database as the server will see it, like `rowhouse doctor`.
 *
 * @param folder of the project
 * @param uri of the owner
 * @param password of the login role; undefined if nobody has given it
 * @returns 1 if a finding is an error
 */
export async function checkDeployed(
  folder: string,
  uri: string,
  login: string | undefined,
  password: string | undefined,
): Promise<0 | 1> {
  if (login === undefined) return 0;
  const file = path.join(folder, CONFIG_FILE);
  if (password === undefined) {
    process.stdout.write(
      `Not checked as ${login}: set ${PASSWORD_VARIABLE} here, or run \`${findOwnCommand()} doctor ${CONFIG_FILE}\` where the server runs.\n`,
    );
    return 0;
  }
  const stated = { file: existsSync(file) ? file : undefined, environment: process.env, dialect: undefined };
  const location = overrideOptions(stated, { 'db-uri': createLoginUri(uri, login, password) });
  const found = await withWholeConfig(
    location,
    async (config, pool) => {
      const findings = await examineDatabase(pool, config, folder);
      if (findings.ok) return sortFindings(findings.value);
      const failure = describeFailure(findings.error, DIALECTS[config.dialect]);
      return void process.stderr.write(`Checked as ${login}: ${failure}\n`);
    },
    'ifUnreachable',
  );
  if (found === undefined) return 1;
  process.stdout.write(`Checked as ${login}:\n${renderReport(found, { isJson: false, isVerbose: false })}`);
  return rankFindings(found) === 2 ? 1 : 0;
}
