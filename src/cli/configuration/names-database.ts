// Configuration and environment → whether they say which database is meant, or leave it to the usual place.
import { isDatabaseNamed } from '../../config/resolve/platform-variables.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { OPTIONS } from '../../config/table/options.ts';
import type { ConfigLocation } from '../../service/configuration/read-config.ts';

export function namesDatabase({ dbUri }: AppConfig, { environment }: ConfigLocation): boolean {
  return dbUri !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
}
