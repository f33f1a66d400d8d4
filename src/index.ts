// The library: what other programs may import.
export type { LogOutput } from './observe/logger.ts';
export type { FetchHandler, FetchHandlerOptions } from './server/fetch.ts';
export {
  type RunningFetchService,
  type RunningServer,
  type RunningService,
  startServer,
  startService,
  type StartOptions,
} from './server/start-server.ts';
