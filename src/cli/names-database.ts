// Configuration and environment → whether they say which database is meant, or leave it to the usual place.
import { isDatabaseNamed } from '../config/ambient-variables.ts';
import type { AppConfig } from '../config/app-config.ts';
import { OPTIONS } from '../config/options.ts';
import type { ConfigLocation } from '../runtime/configuration/read-config.ts';

export function namesDatabase({ dbUri }: AppConfig, { environment }: ConfigLocation): boolean {
  return dbUri !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
}
