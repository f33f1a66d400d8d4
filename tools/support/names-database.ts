// Checks whether the configuration or the environment names a database, or the connection defaults apply.
import { isDatabaseNamed } from '../../src/config/resolve/platform-variables.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { OPTIONS } from '../../src/config/table/options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';

export function namesDatabase({ dbUri }: AppConfig, { environment }: ConfigLocation): boolean {
  return dbUri !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
}
