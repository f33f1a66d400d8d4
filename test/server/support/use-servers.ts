// Starts servers over one harbor and stops them after each test, or after the last test of the file.
import { afterAll, afterEach } from 'vitest';
import type { Harbor } from './harbor.ts';
import { type Launch, type LocalServer, type Options, startLocalServer } from './local-server.ts';

export type StartServer = (options?: Options, launch?: Launch) => Promise<LocalServer>;

/** @param lifetime `test` stops the servers after each test, `file` after the last test of the file */
export function useServers(harbor: Harbor, lifetime: 'test' | 'file' = 'test'): StartServer {
  const servers: LocalServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  };
  if (lifetime === 'test') afterEach(stop);
  else afterAll(stop);
  return async (options, launch) => {
    const server = await startLocalServer(harbor, options, launch);
    servers.push(server);
    return server;
  };
}
