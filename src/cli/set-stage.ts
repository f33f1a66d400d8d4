// `rowhouse` and `rowhouse --demo` → what is served: the configured database, or the demo.
import { fail, ok, type Result } from '../contract/result.ts';
import { hasEmbeddedPostgres } from '../embedded/postgres-binaries.ts';
import { renderEmbeddedError } from '../embedded/embedded-error.ts';
import { startDemo } from '../embedded/start-demo.ts';
import type { ConfigLocation } from '../runtime/configuration/read-config.ts';
import type { CommandOf } from './command.ts';
import { describeDemo, hasOwnDatabase, leaveDemo, locateDemo, noteDemoServer } from './demo.ts';
import { findOwnCommand } from './own-command.ts';
import { createPlainStage, type Stage } from './stage.ts';

export async function setStage(
  { demo: wish }: CommandOf<'serve'>,
  location: ConfigLocation,
): Promise<Result<Stage, string>> {
  const isOffered = wish === 'offered' && hasEmbeddedPostgres();
  if (!isOffered && (wish !== 'wanted' || hasOwnDatabase(location))) return ok(createPlainStage(location));
  const command = findOwnCommand();
  if (isOffered) process.stdout.write(renderOffer(command));
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, command));
  return ok({
    location: locateDemo(demo.value, location),
    open: (server) => {
      noteDemoServer(demo.value, server);
      return describeDemo(demo.value, server, command);
    },
    close: () => leaveDemo(demo.value),
  });
}

function renderOffer(command: string): string {
  return `No database is named, so this will be the demo. Yours: ${command} postgres://user@host/name\n`;
}
