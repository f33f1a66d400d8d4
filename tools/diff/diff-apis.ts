// `rowhouse diff --api`: what the clients of a database notice if it gets the schema of the folder (`project.md` §3 item
// 5).
import type { Client } from 'pg';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import { fail, ok } from '../../src/contract/result.ts';
import { compileSeams } from '../../src/serve/extension.ts';
import { requestSettingsOf } from '../../src/serve/request-context.ts';
import { EXTENSIONS } from '../../src/server/extensions.ts';
import { readDialect } from '../../src/service/configuration/read-config.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { Api } from '../api-diff/api.ts';
import { compareApis } from '../api-diff/compare-apis.ts';
import { countRequests } from '../api-diff/count-requests.ts';
import { loadApi } from '../api-diff/load-api.ts';
import { parseLog } from '../api-diff/read-log.ts';
import { renderChanges, renderChangesAsJson } from '../api-diff/render-changes.ts';
import { keyOfTable, type Renames } from '../api-diff/sides.ts';
import { listCatalogRoles } from '../project/compare/catalog/catalog.ts';
import { listRoles, SchemaDelta } from '../project/compare/schema-delta.ts';
import { readRenameComments } from '../project/dev/find-renames.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { locateProjectConfig } from '../project/run/project-config.ts';
import { readText } from '../support/read-text.ts';
import { withBuiltProject } from './built-project.ts';
import type { Target } from './operands.ts';
import { readDatabase, readTarget } from './read-target.ts';
import { fillReplica } from './replica.ts';
import type { ScratchCluster } from './scratch-server.ts';

/** Compares what clients notice. */
export interface ApiAction {
  readonly kind: 'api';
  /** Access log or HAR file whose requests are counted. */
  readonly log: string | undefined;
  /** URL of the API when the log was recorded. */
  readonly recordedAt: URL | undefined;
  readonly isJson: boolean;
}

/** @param target what the clients use now */
export async function diffApis(
  action: ApiAction,
  project: Project,
  target: Target,
): Promise<Outcome<{ readonly text: string; readonly isBroken: boolean }>> {
  const log = action.log === undefined ? ok(undefined) : await readText(action.log);
  if (!log.ok) return fail([problemOf(undefined, log.error)]);
  const recording = log.value === undefined ? ok(undefined) : parseLog(log.value, action.recordedAt);
  if (!recording.ok) return fail([problemOf(action.log, recording.error)]);
  const sides = await loadSides(project, target);
  if (!sides.ok) return sides;
  const { old, current, config } = sides.value;
  const dialect = readDialect(locateProjectConfig(project, 'public'));
  if (!dialect.ok) return fail([problemOf(undefined, dialect.error.message)]);
  const changes = compareApis({ old, new: current, renames: findRenames(project, current) });
  const requests = recording.value?.requests;
  const api = { dialect: dialect.value, config };
  const settings = requestSettingsOf({ ...api, seams: compileSeams(EXTENSIONS, api) });
  const hits = requests === undefined ? undefined : countRequests(changes, requests, old, settings);
  return ok({
    text: action.isJson ? renderChangesAsJson(changes, hits) : renderChanges(changes, hits),
    isBroken: changes.some(({ level }) => level === 'breaking'),
  });
}

function loadSides(
  project: Project,
  target: Target,
): Promise<Outcome<{ readonly old: Api; readonly current: Api; readonly config: AppConfig }>> {
  return withBuiltProject(project, false, async ({ scratch, client, config, roles }) => {
    const { dbSchemas: schemas, dbExtraSearchPath: extraSearchPath } = config;
    const load = (each: Client): Promise<Api> => loadApi(each, { schemas, extraSearchPath }, roles);
    const current = await load(client);
    const old = await loadTarget(target, project, scratch, load);
    return old.ok ? ok({ old: old.value, current, config }) : old;
  });
}

async function loadTarget(
  target: Target,
  project: Project,
  scratch: ScratchCluster,
  load: (client: Client) => Promise<Api>,
): Promise<Outcome<Api>> {
  if (target.kind === 'database') return readDatabase(target.uri, load);
  const delta = await SchemaDelta.load();
  if (!delta.ok) return fail([problemOf(undefined, delta.error)]);
  const state = await readTarget(target, delta.value, project, scratch);
  if (!state.ok) return state;
  const { schema, catalog, owner } = state.value;
  await scratch.createRoles([...listRoles(schema), ...listCatalogRoles(catalog)]);
  const server = await scratch.actAs(owner);
  return server.withNewDatabase(async (client) => {
    const copied = await fillReplica(client, delta.value, { schema, catalog });
    return copied.ok ? ok(await load(client)) : fail([problemOf(undefined, copied.error)]);
  });
}

/** The renames of columns that the files state. */
function findRenames({ schema: files }: Project, { cache }: Api): Renames {
  const renames = new Map<string, Map<string, string>>();
  for (const { schema, table, column, from } of readRenameComments(files)) {
    if (column === undefined) continue;
    const tables: readonly QualifiedName[] = [...cache.relations]
      .filter(([name, relations]) => (schema === undefined || schema === name) && relations.has(table))
      .map(([name]) => ({ schema: name, name: table }));
    for (const key of tables.map(keyOfTable)) renames.set(key, (renames.get(key) ?? new Map()).set(column, from));
  }
  return renames;
}
