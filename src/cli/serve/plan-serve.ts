// `rowhouse` and `rowhouse --demo` → what is served: the configured database, or the demo.
import { ok, type Result } from '../../contract/result.ts';
import { hasEmbeddedPostgres } from '../../embedded/cluster/postgres-binaries.ts';
import { listVariables } from '../../service/configuration/override-options.ts';
import type { ConfigLocation } from '../../service/configuration/read-config.ts';
import type { CommandOf } from '../arguments/command.ts';
import { findOwnCommand } from '../output/own-command.ts';
import { createDatabasePlan, type ServePlan } from './serve-plan.ts';

export async function planServe(
  { demo: choice }: CommandOf<'serve'>,
  location: ConfigLocation,
): Promise<Result<ServePlan, string>> {
  const isOffered = choice === 'offered' && hasEmbeddedPostgres();
  if (!isOffered && (choice !== 'wanted' || hasOwnDatabase(location))) return ok(createDatabasePlan(location));
  const command = findOwnCommand();
  if (isOffered) process.stdout.write(renderOffer(command));
  const { planDemo } = await import('./plan-demo.ts');
  return planDemo(location, command);
}

/** Whether the environment names a database. */
function hasOwnDatabase({ environment }: ConfigLocation): boolean {
  return listVariables('db-uri').some((name) => (environment[name] ?? '') !== '');
}

function renderOffer(command: string): string {
  return `No database is named, so this will be the demo. Yours: ${command} postgres://user@host/name\n`;
}
