// What commands find out about their configuration: whether it names a database, and its problems.
import { isDatabaseNamed } from '../../src/config/resolve/platform-variables.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { OPTIONS } from '../../src/config/table/options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';

/** Returns whether the configuration or the environment names a database, or the defaults of connections apply. */
export function namesDatabase({ dbUri }: AppConfig, { environment }: ConfigLocation): boolean {
  return dbUri !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
}

/** For commands that do not serve. The server logs them instead. */
export function reportConfigProblems({ warnings }: AppConfig): void {
  for (const text of warnings) process.stderr.write(`Warning: ${text}\n`);
}
