// Checks before the first connection whether the configuration leads to a database at all.
import { isDatabaseNamed } from '../../config/resolve/platform-variables.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { OPTIONS } from '../../config/table/options.ts';
import type { Observation } from '../../observe/observation.ts';
import { checkAnswering, findSettingsFault } from '../../postgres/session/open-session.ts';
import type { ConnectionOptions } from './create-pool.ts';
import type { Running } from '../../serve/extension.ts';

/** How long a database on this machine that no setting names may take to answer at start-up. */
const UNNAMED_TIMEOUT_MS = 10_000;

/** Returns the reason why the service cannot start, or `undefined`. */
export async function findStartFault(
  config: AppConfig,
  connection: ConnectionOptions,
  extensions: Iterable<Running>,
): Promise<Observation | undefined> {
  let reason = await findSettingsFault(connection);
  for (const { findFault } of extensions) reason ??= await findFault?.(config);
  if (reason !== undefined) return { kind: 'connectionUnusable', reason };
  return (await isDatabaseMissing(connection)) ? { kind: 'databaseNotNamed' } : undefined;
}

/** Whether no setting names a database and none answers at the default address. */
async function isDatabaseMissing(connection: ConnectionOptions): Promise<boolean> {
  const { connectionString, environment } = connection;
  const isNamed = connectionString !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
  return !isNamed && !(await checkAnswering(connection, UNNAMED_TIMEOUT_MS));
}
