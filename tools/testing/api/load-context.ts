// Prepares answering requests from a copy of the template: the configuration of the project, and the schema cache.
import { EXTENSIONS } from '../../../src/server/extensions.ts';
import { buildSchemaCacheInSlices } from '../../../src/catalog/decode.ts';
import { DIALECTS } from '../../../src/contract/dialect.ts';
import { PRODUCT } from '../../../src/contract/product.ts';
import { answerEvents } from '../../../src/extensions/live/answer-events.ts';
import { findSubjects } from '../../../src/extensions/live/index.ts';
import type { RequestPart } from '../../../src/serve/extension.ts';
import type { RequestContext } from '../../../src/serve/request-context.ts';
import { AppState } from '../../../src/service/app-state.ts';
import { createPause } from '../../../src/service/scheduling/waiting.ts';
import { unpackCatalog } from '../../../src/service/schema-cache/serialized-catalog.ts';
import { JwtVerifier } from '../../../src/service/tokens/jwt-verifier.ts';
import { runSlicesWithPauses } from '../../../src/util/slices.ts';
import type { Project } from '../../project/folder/read-project.ts';
import type { Template } from '../cluster/template.ts';
import { locateKeptApi, readKeptApi, writeKeptApi } from './kept-api.ts';
import { readTestConfig } from './test-config.ts';
import type { LoadedApi } from './test-service.ts';

/**
 * Throws if the configuration is invalid or the schema cannot be read.
 *
 * @param uri of a copy
 * @param template undefined: it changes, so that nothing is kept
 * @returns a context that runs no scripts by itself
 */
export async function loadContext(
  project: Project,
  uri: string,
  template: Template | undefined,
): Promise<RequestContext> {
  if (template === undefined) return createContext(await load(project, uri));
  // The schema is the default of any project, and the database that of any process.
  const { config } = readTestConfig(project, { uri: 'postgres:///', defaultSchema: 'public' });
  const file = locateKeptApi(project, template, config);
  const kept = readKeptApi(file);
  if (kept !== undefined) return createContext({ ...kept, config: { ...config, dbSchemas: kept.schemas } });
  const loaded = await load(project, uri);
  writeKeptApi(file, loaded);
  return createContext(loaded);
}

async function load(project: Project, uri: string): Promise<LoadedApi> {
  const { loadApi } = await import('./test-service.ts');
  return loadApi(project, uri);
}

async function createContext({
  config,
  roleSettings,
  catalog,
}: Pick<LoadedApi, 'config' | 'roleSettings' | 'catalog'>): Promise<RequestContext> {
  const pause = createPause();
  const verifier = new JwtVerifier({
    now: () => Date.now() / 1000,
    onCacheEvent: () => undefined,
  });
  // Nobody is asked for keys, but tokens are rejected for the same reason as by a server that found none.
  if (config.jwtJwksUri !== undefined || config.jwtIssuer !== undefined)
    verifier.useProvider({ keys: [], retryAfter: 1, awaitKey: () => undefined });
  const state = new AppState(config, {
    product: PRODUCT,
    dialect: DIALECTS[config.dialect],
    pool: NO_CONNECTIONS,
    database: NO_CONNECTIONS,
    verifier,
    extensions: [...EXTENSIONS, WITHOUT_STREAMS],
    onReplaced: () => undefined,
    retryAfter: () => 0,
  });
  state.applyConfig(config, roleSettings);
  const rows = await unpackCatalog(catalog, pause);
  state.applyCache(await runSlicesWithPauses(buildSchemaCacheInSlices(rows), pause));
  return { ...state.snapshot(), explorer: undefined };
}

const NO_CONNECTIONS = {
  runScript: (): Promise<never> => Promise.reject(new Error('Scripts run in the transaction of a test.')),
};

const WITHOUT_STREAMS: RequestPart = {
  compile: ({ config }) => ({
    events: {
      subjects: findSubjects(config),
      answer: (prepared, work) => answerEvents(prepared, work, { openChannels: refuse, watch: refuse }),
      answerList: refuse,
    },
  }),
};

function refuse(): Promise<never> {
  return Promise.reject(
    new Error('The transaction of a test has no event streams: nobody else sees its changes before it ends.'),
  );
}
