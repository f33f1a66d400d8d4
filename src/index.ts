// The library: what other programs may import.
export type { ProgramOptions } from './config/program-options.ts';
export type { LogOutput } from './observe/logger.ts';
export type { FetchHandler, FetchHandlerOptions } from './server/fetch.ts';
export type { Authenticate, HandlerOptions, HostSession } from './server/mounted-handler.ts';
export type { NodeHandler, NodeHandlerOptions } from './server/node-handler.ts';
export {
  type MountableService,
  type RunningServer,
  type RunningService,
  startServer,
  startService,
  type StartOptions,
} from './server/start-server.ts';
