// `rowhouse diff --api`: what the clients of a database notice if it gets the schema of the folder (`project.md` §3 item
// 5).
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { requestSettingsOf } from '../../src/request-context.ts';
import { readDialect } from '../../src/service/configuration/read-config.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { Api } from '../api-diff/api.ts';
import { compareApis } from '../api-diff/compare-apis.ts';
import { countRequests } from '../api-diff/count-requests.ts';
import { createEmptyApi, loadApi } from '../api-diff/load-api.ts';
import { parseLog } from '../api-diff/read-log.ts';
import { renderChanges, renderChangesAsJson } from '../api-diff/render-changes.ts';
import type { CommandOf } from '../command-line/command.ts';
import { withConnection } from '../embedded/script/sql-session.ts';
import { type Problem, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { locateProjectConfig, readProjectConfig } from '../project/run/project-config.ts';
import { findDefaultSchema, findWebRoles } from '../project/run/web-roles.ts';
import { readText } from '../support/read-text.ts';
import { withProjectDatabase } from './scratch-database.ts';

export interface ApiDiff {
  readonly text: string;
  readonly isBroken: boolean;
}

/** @param uri of the database that the clients use now; undefined: there is none yet */
export async function diffApis(
  command: CommandOf<'diff'>,
  project: Project,
  uri: string | undefined,
): Promise<Result<ApiDiff, readonly Problem[]>> {
  const log = command.log === undefined ? ok(undefined) : await readText(command.log);
  if (!log.ok) return fail([problemOf(undefined, log.error)]);
  const recording = log.value === undefined ? ok(undefined) : parseLog(log.value, command.recordedAt);
  if (!recording.ok) return fail([problemOf(command.log, recording.error)]);
  const sides = await loadSides(project, uri);
  if (!sides.ok) return sides;
  const { old, current, config } = sides.value;
  const dialect = readDialect(locateProjectConfig(project, 'public'));
  if (!dialect.ok) return fail([problemOf(undefined, dialect.error.message)]);
  const changes = compareApis({ old, new: current, renames: new Map() });
  const requests = recording.value?.requests;
  const settings = requestSettingsOf({ dialect: dialect.value, config });
  const hits = requests === undefined ? undefined : countRequests(changes, requests, { old, settings });
  return ok({
    text: command.isJson ? renderChangesAsJson(changes, hits) : renderChanges(changes, hits),
    isBroken: changes.some(({ level }) => level === 'breaking'),
  });
}

interface LoadedSides {
  readonly old: Api;
  readonly current: Api;
  readonly config: AppConfig;
}

function loadSides(project: Project, uri: string | undefined): Promise<Result<LoadedSides, readonly Problem[]>> {
  return withProjectDatabase(project, async (client) => {
    const config = readProjectConfig(project, await findDefaultSchema(client));
    if (!config.ok) return config;
    const { dbSchemas: schemas, dbExtraSearchPath: extraSearchPath, dbAnonRole } = config.value;
    const roles = await findWebRoles(client, project, dbAnonRole);
    const current = await loadApi(client, { schemas, extraSearchPath }, roles);
    const old =
      uri === undefined
        ? ok(createEmptyApi(roles))
        : await readTarget(uri, (target) => loadApi(target, { schemas, extraSearchPath }, roles));
    return old.ok ? ok({ old: old.value, current, config: config.value }) : old;
  });
}

async function readTarget<T>(
  uri: string,
  read: (client: Client) => Promise<T>,
): Promise<Result<T, readonly Problem[]>> {
  try {
    return ok(await withConnection(uri, read));
  } catch (error) {
    // The driver's messages contain neither the URI nor the password.
    const message = error instanceof Error ? error.message : String(error);
    return fail([problemOf(undefined, `The database cannot be read: ${message}`)]);
  }
}
