// Errors of the embedded PostgreSQL and the demo, and their messages for the user.
import { PRODUCT } from '../../../src/contract/product.ts';
import { assertNever } from '../../../src/contract/result.ts';

export type EmbeddedError =
  | { readonly kind: 'binariesMissing'; readonly platform: string }
  | { readonly kind: 'binariesUnusable'; readonly binFolder: string; readonly details: string }
  | { readonly kind: 'noDatabaseUser'; readonly tried: readonly string[] }
  | { readonly kind: 'folderUnusable'; readonly folder: string; readonly details: string }
  | { readonly kind: 'folderNotEnterable'; readonly folder: string; readonly barrier: string }
  | { readonly kind: 'folderInUse'; readonly folder: string; readonly pid: number }
  | { readonly kind: 'versionMismatch'; readonly folder: string; readonly found: string; readonly needed: string }
  | { readonly kind: 'initializationFailed'; readonly folder: string; readonly details: string }
  | { readonly kind: 'portInUse'; readonly port: number }
  | { readonly kind: 'startFailed'; readonly details: string }
  | { readonly kind: 'noSuchDatabase'; readonly database: string }
  | { readonly kind: 'sqlFailed'; readonly source: string; readonly details: string };

const OTHER_FOLDER = 'Choose another folder with ROWHOUSE_DATA=/some/folder.';

/**
 * Renders one or two sentences: what happened, and what the user can do.
 *
 * @param command how the user invokes this program: `npx rowhouse`
 */
export function renderEmbeddedError(error: EmbeddedError, command: string = PRODUCT.token): string {
  const ownDatabase = `Or use your own database: ${command} postgres://user@host/name`;
  switch (error.kind) {
    case 'binariesMissing':
      return `The embedded PostgreSQL for ${error.platform} is not installed. Reinstall without --omit=optional. ${ownDatabase}`;
    case 'binariesUnusable':
      return `The embedded PostgreSQL in ${error.binFolder} cannot run: ${error.details}. ${ownDatabase}`;
    case 'noDatabaseUser':
      return `PostgreSQL refuses to run as root, and none of these users exists: ${error.tried.join(', ')}. Start as a non-root user.`;
    case 'folderUnusable':
      return `The data folder ${error.folder} cannot be used: ${error.details}. ${OTHER_FOLDER}`;
    case 'folderNotEnterable':
      return `PostgreSQL runs as a non-root user, who cannot access ${error.barrier}, a parent of ${error.folder}. ${OTHER_FOLDER}`;
    case 'folderInUse':
      return `The data folder ${error.folder} is in use by a running PostgreSQL (process ${error.pid}), probably started by another rowhouse. Stop it first. ${OTHER_FOLDER}`;
    case 'versionMismatch':
      return `The data folder ${error.folder} was created by PostgreSQL ${error.found}, but this is PostgreSQL ${error.needed}. ${OTHER_FOLDER}`;
    case 'initializationFailed':
      return `Could not create a database cluster in ${error.folder}: ${error.details}`;
    case 'portInUse':
      return `The embedded PostgreSQL cannot listen on 127.0.0.1:${error.port}, because the port is in use.`;
    case 'startFailed':
      return `The embedded PostgreSQL did not start: ${error.details}`;
    case 'noSuchDatabase':
      return `The embedded PostgreSQL has no database ${error.database}. Create it: ${command} sql FILE.sql --database ${error.database}`;
    case 'sqlFailed':
      return `${error.source}: ${error.details}`;
    default:
      return assertNever(error);
  }
}
