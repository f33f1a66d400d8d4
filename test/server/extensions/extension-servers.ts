// Starts servers with one extension on and off, in both dialects, on one database.
import type { ExtensionName } from '../../../src/contract/extensions.ts';
import type { Harbor } from '../../support/harbor.ts';
import { type LocalServer, type Options, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

export interface ExtensionServers {
  /** The extension is on: by default in the dialect `svc`, by name in `postgrest`. */
  readonly on: Readonly<Record<'svc' | 'postgrest', LocalServer>>;
  /** All extensions except this one are on. */
  readonly off: Readonly<Record<'svc' | 'postgrest', LocalServer>>;
}

export async function useExtensionServers(
  harbor: Harbor,
  extension: ExtensionName,
  options: Options = {},
): Promise<ExtensionServers> {
  const start = (own: Options): Promise<LocalServer> => use(startLocalServer(harbor, { ...options, ...own }));
  const on = { svc: await start({}), postgrest: await start({ dialect: 'postgrest', extensions: extension }) };
  const off = {
    svc: await start({ extensions: extension === 'stream' ? 'ingest' : 'stream' }),
    postgrest: await start({ dialect: 'postgrest' }),
  };
  return { on, off };
}
