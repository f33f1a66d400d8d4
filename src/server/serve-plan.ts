// What a serving command serves, with hooks for what it starts beside the server, and the banner of `rowhouse FILE`.
import type { AppConfig } from '../config/table/app-config.ts';
import type { ConfigLocation } from '../service/configuration/read-config.ts';
import type { RowhouseServer, RowhouseServerOptions } from './rowhouse-server.ts';

export interface ServePlan {
  readonly location: ConfigLocation;
  /** Routes of the command besides the API. */
  readonly routes?: RowhouseServerOptions['routes'];
  /** Puts something before the handler of all requests. */
  readonly guard?: RowhouseServerOptions['guard'];
  /** Undefined: there is no SQL console. */
  readonly console?: RowhouseServerOptions['console'];
  /** Called when the server listens. @returns a text to print, if any */
  onListening(server: RowhouseServer): string | undefined;
  /** Called after each load of the schema. @param startedAt start of the load, in milliseconds since 1970 */
  onSchemaLoaded(startedAt: number): void;
  /** Called before the server waits for the requests in progress. */
  onEnding?(): void;
  /** Called when the server has ended. */
  onEnded(): Promise<void>;
}

/** Serves an existing database. Only people get a banner: access logs may be all that a program expects. */
export function createDatabasePlan(location: ConfigLocation): ServePlan {
  return {
    location,
    onListening: (server) => (process.stdout.isTTY ? describeService(server) : undefined),
    onSchemaLoaded: () => undefined,
    onEnded: () => Promise.resolve(),
  };
}

function describeService({ apiAddress = '', service }: RowhouseServer): string {
  const { dbSchemas: schemas, dbAnonRole: anonRole } = service.config;
  const place = apiAddress.startsWith('/') ? apiAddress : renderUrl(apiAddress);
  const isExposed = !/^(?:\/|127\.|\[::1\])/u.test(apiAddress);
  return renderServeBanner({ place, schemas, anonRole, hasExplorer: hasExplorer(service.config), isExposed });
}

/** @param address an address the server listens on: `127.0.0.1:3000` */
export function renderUrl(address: string): string {
  return `http://${address.replace(/^(?:0\.0\.0\.0|\[::\]|127\.0\.0\.1)(?=:\d+$)/u, 'localhost')}`;
}

/** Returns whether browsers get the explorer; a function for the root path replaces it. */
export function hasExplorer({ serverExplorer, dbRootSpec }: AppConfig): boolean {
  return serverExplorer && dbRootSpec === undefined;
}

export interface ServeFacts {
  /** `http://localhost:3000`, or the path of a Unix socket. */
  readonly place: string;
  readonly schemas: readonly string[];
  /** The role of requests without a token; undefined if each request needs one. */
  readonly anonRole: string | undefined;
  readonly hasExplorer: boolean;
  /** Whether other machines may connect. */
  readonly isExposed: boolean;
}

export function renderServeBanner({ place, schemas, anonRole, hasExplorer, isExposed }: ServeFacts): string {
  const noun = schemas.length === 1 ? 'schema' : 'schemas';
  const access = anonRole === undefined ? 'need a token' : `without a token run as the role ${anonRole}`;
  const reach = isExposed ? '; other machines can connect (server-host)' : '';
  return [
    '',
    `  Rowhouse serves the ${noun} ${schemas.join(', ')} at ${place}${reach}.`,
    ...(hasExplorer ? [`  Explorer: open ${place}/ in a browser.`] : []),
    `  Requests ${access}.`,
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n');
}
