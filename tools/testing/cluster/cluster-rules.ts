// What the keeper of a cluster and its clients agree on.

import path from 'node:path';
import { TOOLS_FOLDER } from '../../project/folder/tools-folder.ts';

/** Below `.rowhouse/` of the project. */
export const CLUSTER_PLACE = 'testing';

/** Returns the folder with what processes have found out about the API of a template, for the next ones. */
export function locateKeptApis(root: string): string {
  return path.join(root, TOOLS_FOLDER, 'testing.apis');
}

/** The comment of a template that is complete. */
export const COMPLETE = 'complete';

/** The first key of the advisory locks, which all belong to the database `postgres`. */
const LOCKS = 7349;

/** The second keys of the locks; those of databases follow. */
const PRESENCE = 0;
const BUILDING = 1;
const FIRST_DATABASE = 2;

/** Each client holds it as long as it lives. The keeper takes it alone to end the cluster. */
export const TRY_PRESENCE: string = `select pg_try_advisory_lock_shared(${LOCKS}, ${PRESENCE})`;
export const TRY_ABSENCE: string = `select pg_try_advisory_lock(${LOCKS}, ${PRESENCE})`;
export const END_ABSENCE: string = `select pg_advisory_unlock(${LOCKS}, ${PRESENCE})`;

/** Held while the template is made. */
export const START_BUILDING: string = `select pg_advisory_lock(${LOCKS}, ${BUILDING})`;
export const END_BUILDING: string = `select pg_advisory_unlock(${LOCKS}, ${BUILDING})`;

/** Held by the client that uses the database of this number. */
export function renderTryDatabase(number: number): string {
  return `select pg_try_advisory_lock(${LOCKS}, ${FIRST_DATABASE + number})`;
}

/** What the keeper prints when it has started, as a line of JSON. */
export interface KeeperReport {
  /** `busy`: another keeper has the cluster. */
  readonly kind: 'ready' | 'busy' | 'failed';
  readonly message?: string;
}
