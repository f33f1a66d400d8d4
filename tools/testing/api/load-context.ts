// Loads what requests need to know of a database: the configuration of the project, and the schema cache. A service does
// so as in a server.
import type { Project } from '../../project/folder/read-project.ts';
import { findDefaultSchema } from '../../project/run/web-roles.ts';
import { withConnection } from '../../embedded/script/sql-session.ts';
import { createConfigReader, overrideOptions } from '../../../src/service/configuration/read-config.ts';
import { Service } from '../../../src/service/service.ts';

/** What concerns the place of a server, and not what it answers. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'db-channel-enabled': 'false',
  'db-pool': '4',
  'db-uri-replicas': '',
  'server-workers': '1',
};

/**
 * @returns a service with a schema cache; stop it. Throws if the configuration is invalid or the schema cannot be read.
 */
export async function startTestService({ configFile }: Project, uri: string): Promise<Service> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
  const defaults = { 'db-schemas': await withConnection(uri, findDefaultSchema) };
  const readConfig = createConfigReader(
    overrideOptions({ file: configFile, environment, defaults }, { ...OVERRIDES, 'db-uri': uri }),
  );
  const config = readConfig(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  const problems: string[] = [];
  const note = (line: string): void => void problems.push(line);
  const output = { writeOut: note, writeError: note };
  const service = new Service({
    config: config.value,
    readConfig,
    environment,
    output,
    onFatal: note,
    isMounted: true,
  });
  await service.start();
  if (service.snapshot().planning !== undefined) return service;
  await service.stop();
  throw new Error(`The API cannot be served:\n${problems.join('\n')}`);
}
