// Starts services over databases of tests, which load what requests need to know as in a server.
import { EXTENSIONS } from '../../../src/server/extensions.ts';
import type { RequestContext } from '../../../src/serve/request-context.ts';
import { createPause } from '../../../src/service/scheduling/waiting.ts';
import { packCatalog, type SerializedCatalog } from '../../../src/service/schema-cache/serialized-catalog.ts';
import { Service } from '../../../src/service/service.ts';
import type { WorkerChannel } from '../../../src/service/worker-channel.ts';
import { withConnection } from '../../embedded/script/sql-session.ts';
import type { Project } from '../../project/folder/read-project.ts';
import { findDefaultSchema } from '../../project/run/web-roles.ts';
import { readTestConfig, type TestConfig } from './test-config.ts';

/** What requests need to know of a database. */
export interface LoadedApi extends Pick<RequestContext, 'config' | 'roleSettings'> {
  readonly catalog: SerializedCatalog;
  /** The configuration without settings of the database. */
  readonly own: TestConfig['config'];
}

/**
 * @returns a service with a schema cache; stop it. Throws if the configuration is invalid or the schema cannot be read.
 */
export async function startTestService(project: Project, uri: string): Promise<Service> {
  const defaultSchema = await withConnection(uri, findDefaultSchema);
  return start(readTestConfig(project, { uri, defaultSchema }), undefined);
}

/** Throws as `startTestService` does. */
export async function loadApi(project: Project, uri: string): Promise<LoadedApi> {
  const defaultSchema = await withConnection(uri, findDefaultSchema);
  const test = readTestConfig(project, { uri, defaultSchema });
  let catalog: SerializedCatalog | undefined;
  const service = await start(test, {
    configure: () => Promise.resolve(),
    publishCatalog: async (rows) => void (catalog = await packCatalog(rows, createPause())),
    noticeWaiting: () => undefined,
  });
  const { config, roleSettings } = service.serving.state.snapshot();
  await service.stop();
  if (catalog === undefined) throw new Error('The service has a schema cache, but has read no catalog');
  return { config, roleSettings, catalog, own: test.config };
}

/** @param workerChannel gets what the service reads, which answers no requests itself then */
async function start(
  { config, readConfig, environment }: TestConfig,
  workerChannel: WorkerChannel | undefined,
): Promise<Service> {
  const problems: string[] = [];
  const note = (line: string): void => void problems.push(line);
  const output = { writeOut: note, writeError: note };
  const service = new Service({
    config,
    readConfig,
    environment,
    output,
    onFatal: note,
    extensions: EXTENSIONS,
    isMounted: true,
    workerChannel,
  });
  await service.start();
  if (service.serving.state.snapshot().planning !== undefined) return service;
  await service.stop();
  throw new Error(`The API cannot be served:\n${problems.join('\n')}`);
}
