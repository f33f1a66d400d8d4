// Starts a mountable service over a harbor, in the test's own process and without a log.
import { type MountableService, startService, type StartOptions } from '../../src/index.ts';
import type { Harbor } from './harbor.ts';
import { SECRET } from './local-server.ts';

export function startMountedService(harbor: Harbor, options: StartOptions['options'] = {}): Promise<MountableService> {
  return startService({
    options: {
      dbUri: harbor.uri,
      dbSchemas: ['api'],
      dbAnonRole: harbor.anon,
      dbConfig: false,
      jwtSecret: SECRET,
      ...options,
    },
    environment: {},
    output: { writeOut: () => {}, writeError: () => {} },
  });
}
