// Plans `rowhouse` and `rowhouse --demo`: serves the configured database, or the demo.
import { ok, type Result } from '../../src/contract/result.ts';
import { hasEmbeddedPostgres } from '../embedded/cluster/postgres-binaries.ts';
import { listVariables } from '../../src/service/configuration/override-options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import type { CommandOf } from '../command-line/command.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { createDatabasePlan, type ServePlan } from '../../src/server/serve-plan.ts';

export async function planServe(
  { demo: choice }: CommandOf<'serve'>,
  location: ConfigLocation,
): Promise<Result<ServePlan, string>> {
  const isDefault = choice === 'default' && hasEmbeddedPostgres();
  if (!isDefault && (choice !== 'requested' || hasOwnDatabase(location))) return ok(createDatabasePlan(location));
  const command = findOwnCommand();
  if (isDefault) process.stdout.write(renderNotice(command));
  const { planDemo } = await import('./plan-demo.ts');
  return planDemo(location, command);
}

/** Returns whether the environment names a database. */
function hasOwnDatabase({ environment }: ConfigLocation): boolean {
  return listVariables('db-uri').some((name) => (environment[name] ?? '') !== '');
}

function renderNotice(command: string): string {
  return `No database specified, starting the demo. To serve your own: ${command} postgres://user@host/name\n`;
}
