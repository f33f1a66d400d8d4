// `rowhouse` and `rowhouse --demo` → what is served: the configured database, or the demo.
import { fail, ok, type Result } from '../contract/result.ts';
import { hasEmbeddedPostgres } from '../embedded/postgres-binaries.ts';
import { renderEmbeddedError } from '../embedded/embedded-error.ts';
import { noteLoad } from '../embedded/served-by.ts';
import { startDemo } from '../embedded/start-demo.ts';
import type { ConfigLocation } from '../runtime/configuration/read-config.ts';
import type { CommandOf } from './command.ts';
import { describeDemo, hasOwnDatabase, leaveDemo, locateDemo, noteDemoServer } from './demo.ts';
import { findOwnCommand } from './own-command.ts';
import { createDatabasePlan, type ServePlan } from './serve-plan.ts';

export async function planServe(
  { demo: choice }: CommandOf<'serve'>,
  location: ConfigLocation,
): Promise<Result<ServePlan, string>> {
  const isOffered = choice === 'offered' && hasEmbeddedPostgres();
  if (!isOffered && (choice !== 'wanted' || hasOwnDatabase(location))) return ok(createDatabasePlan(location));
  const command = findOwnCommand();
  if (isOffered) process.stdout.write(renderOffer(command));
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, command));
  return ok({
    location: locateDemo(demo.value, location),
    onListening: (server) => {
      noteDemoServer(demo.value, server);
      return describeDemo(demo.value, server, command);
    },
    onSchemaLoaded: (begun) => noteLoad(demo.value.dataFolder, begun),
    onEnded: () => leaveDemo(demo.value),
  });
}

function renderOffer(command: string): string {
  return `No database is named, so this will be the demo. Yours: ${command} postgres://user@host/name\n`;
}
