// Prints configuration problems to standard error, for commands that do not serve. The server logs them instead.
import type { AppConfig } from '../../src/config/table/app-config.ts';

export function reportConfigProblems({ warnings }: AppConfig): void {
  for (const text of warnings) process.stderr.write(`Warning: ${text}\n`);
}
