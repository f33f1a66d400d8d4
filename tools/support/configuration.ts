// What commands find out about their configuration: whether it names a database, and its problems.
import { isDatabaseNamed } from '../../src/config/resolve/platform-variables.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { OPTIONS } from '../../src/config/table/options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';

/** Returns whether the configuration or the environment names a database, or the defaults of connections apply. */
export function namesDatabase(
  { dbUri }: Pick<AppConfig, 'dbUri'>,
  { environment }: Pick<ConfigLocation, 'environment'>,
): boolean {
  return dbUri !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
}

/**
 * Says how to name a database, after a failed connection.
 *
 * @param command as the user calls it
 * @param alternative what else the user may have meant, as in `rowhouse check for the SQL files of this folder`
 * @returns '' if the configuration names one
 */
export function suggestDatabase(
  command: string,
  alternative: string | undefined,
  ...named: Parameters<typeof namesDatabase>
): string {
  if (namesDatabase(...named)) return '';
  const uri = `. No option names a database: run ${command} postgres://USER@HOST/DATABASE`;
  return alternative === undefined ? uri : `${uri}, or ${alternative}`;
}

/** For commands that do not serve. The server logs them instead. */
export function reportConfigProblems({ warnings }: AppConfig): void {
  for (const text of warnings) process.stderr.write(`Warning: ${text}\n`);
}
