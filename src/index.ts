// The public API of the package.
export type { ProgramOptions } from './config/resolve/program-options.ts';
export type { LogOutput } from './observe/logger.ts';
export type { FetchHandler, FetchHandlerOptions } from './http/adapters/fetch.ts';
export type { Authenticate, HandlerOptions, HostSession } from './http/adapters/mounted-handler.ts';
export type { NodeHandler, NodeHandlerOptions } from './http/adapters/node-handler.ts';
export {
  type MountableService,
  type RunningServer,
  type RunningService,
  startServer,
  startService,
  type StartOptions,
} from './server/start-server.ts';
