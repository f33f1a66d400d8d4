// What of the configuration was passed over → standard error, for commands that do not serve: the server has a log.
import type { AppConfig } from '../../config/table/app-config.ts';

export function reportConfigProblems({ warnings }: AppConfig): void {
  for (const text of warnings) process.stderr.write(`Warning: ${text}\n`);
}
