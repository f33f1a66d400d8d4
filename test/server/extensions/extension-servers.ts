// Starts servers with one extension on and off, in both dialects, on one database.
import { afterAll, beforeAll } from 'vitest';
import type { ExtensionName } from '../../../src/contract/extensions.ts';
import type { Harbor } from '../../support/harbor.ts';
import { type LocalServer, type Options, startLocalServer } from '../../support/local-server.ts';

export interface ExtensionServers {
  /** The extension is on: by default in the dialect `svc`, by name in `postgrest`. */
  readonly on: Readonly<Record<'svc' | 'postgrest', LocalServer>>;
  /** All extensions except this one are on. */
  readonly off: Readonly<Record<'svc' | 'postgrest', LocalServer>>;
}

/** Readable only in tests and hooks. */
export function useExtensionServers(harbor: Harbor, extension: ExtensionName, options: Options = {}): ExtensionServers {
  const started: LocalServer[] = [];
  const start = async (own: Options): Promise<LocalServer> => {
    const server = await startLocalServer(harbor, { ...options, ...own });
    started.push(server);
    return server;
  };
  const servers: { -readonly [K in keyof ExtensionServers]?: ExtensionServers[K] } = {};
  beforeAll(async () => {
    servers.on = {
      svc: await start({}),
      postgrest: await start({ dialect: 'postgrest', extensions: extension }),
    };
    servers.off = {
      svc: await start({ extensions: extension === 'stream' ? 'ingest' : 'stream' }),
      postgrest: await start({ dialect: 'postgrest' }),
    };
  });
  afterAll(async () => {
    for (const server of started) await server.stop();
  });
  const get = <K extends keyof ExtensionServers>(key: K): ExtensionServers[K] => {
    const found = servers[key];
    if (found === undefined) throw new Error('the servers have not started');
    return found;
  };
  return {
    get on() {
      return get('on');
    },
    get off() {
      return get('off');
    },
  };
}
