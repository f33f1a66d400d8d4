// Why the embedded PostgreSQL or the demo cannot start, as data, and the sentence a user reads.
import { PRODUCT } from '../../contract/product.ts';
import { assertNever } from '../../contract/result.ts';

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
 * One or two sentences: what is wrong, and what the user can do about it.
 *
 * @param command by which the user reaches this program: `npx rowhouse`
 */
export function renderEmbeddedError(error: EmbeddedError, command: string = PRODUCT.token): string {
  const ownDatabase = `Or bring your own database: ${command} postgres://user@host/name`;
  switch (error.kind) {
    case 'binariesMissing':
      return `No embedded PostgreSQL for ${error.platform} is installed. Install again without --omit=optional. ${ownDatabase}`;
    case 'binariesUnusable':
      return `The embedded PostgreSQL in ${error.binFolder} does not run here: ${error.details}. ${ownDatabase}`;
    case 'noDatabaseUser':
      return `PostgreSQL refuses to run as root, and none of these users exists: ${error.tried.join(', ')}. Start as an ordinary user.`;
    case 'folderUnusable':
      return `The data folder ${error.folder} cannot be used: ${error.details}. ${OTHER_FOLDER}`;
    case 'folderNotEnterable':
      return `PostgreSQL runs as another user than root, and that user may not enter ${error.barrier} on the way to ${error.folder}. ${OTHER_FOLDER}`;
    case 'folderInUse':
      return `The data folder ${error.folder} is in use by a running PostgreSQL (process ${error.pid}), most likely another rowhouse. Stop that one first. ${OTHER_FOLDER}`;
    case 'versionMismatch':
      return `The data folder ${error.folder} was made by PostgreSQL ${error.found}, this is PostgreSQL ${error.needed}. ${OTHER_FOLDER}`;
    case 'initializationFailed':
      return `A new database could not be made in ${error.folder}: ${error.details}`;
    case 'portInUse':
      return `Port ${error.port} on 127.0.0.1 is taken, so the embedded PostgreSQL cannot listen there.`;
    case 'startFailed':
      return `The embedded PostgreSQL did not start: ${error.details}`;
    case 'noSuchDatabase':
      return `There is no database ${error.database} in the embedded PostgreSQL. Make one: ${command} sql FILE.sql --database ${error.database}`;
    case 'sqlFailed':
      return `${error.source}: ${error.details}`;
    default:
      return assertNever(error);
  }
}
