// What the admin server returns at `/status` for its page: the current state of the server and its counts since
// startup. It contains no secrets and no values from requests. Times are in RFC 3339 format.

export interface StatusDocument {
  readonly product: { readonly name: string; readonly version: string };
  readonly dialect: string;
  readonly versions: {
    readonly node: string;
    /** `undefined` until the database has been reached. */
    readonly postgres?: string | undefined;
  };
  readonly uptimeSeconds: number;
  /** The same state that `/live` and `/ready` report. */
  readonly isLive: boolean;
  readonly isReady: boolean;
  /** Why the server is not ready, in sentences. */
  readonly problems: readonly string[];
  readonly pool: PoolStatus;
  /** `undefined` with a single process. */
  readonly workers?: readonly WorkerStatus[] | undefined;
  readonly requests: RequestStatus;
  /** Counts by the option that sets the limit. */
  readonly refusals: readonly { readonly limit: string; readonly count: number }[];
  /** Slowest requests of the last minutes, slowest first. */
  readonly slowest: readonly SlowShape[];
  /** Most recent first. */
  readonly errors: readonly ErrorStatus[];
  readonly schemaCache: SchemaCacheStatus;
  readonly listener: ListenerStatus;
  readonly tokenCache: { readonly requests: number; readonly hits: number; readonly evictions: number };
  /** Sorted by name. */
  readonly configuration: readonly ShownOption[];
}

export interface PoolStatus {
  readonly max: number;
  /** Connections, idle or in use. */
  readonly open: number;
  readonly inUse: number;
  /** Requests waiting for a connection. */
  readonly waiting: number;
  /** Requests that gave up waiting for a connection. */
  readonly timeouts: number;
}

/** A process that serves requests. */
export interface WorkerStatus {
  readonly pid: number;
  readonly isReady: boolean;
  readonly inFlight: number;
  readonly answered: number;
}

export interface RequestStatus {
  readonly inFlight: number;
  readonly answered: number;
  readonly statuses: readonly { readonly status: number; readonly count: number }[];
  readonly latency: {
    /** Upper bounds in seconds; the last count is for everything slower than all of them. */
    readonly bounds: readonly number[];
    readonly counts: readonly number[];
    readonly seconds: number;
  };
}

/** The slowest request of one method on one route. */
export interface SlowShape {
  /** Method, route and names of parameters: `GET /houses?select&limit`. */
  readonly shape: string;
  readonly milliseconds: number;
  readonly at: string;
  /** Number of requests with this method on this route. */
  readonly requests: number;
  readonly meanMilliseconds: number;
}

export interface ErrorStatus {
  readonly code: string;
  readonly count: number;
  /** Status of the most recent occurrence; the same holds for the fields below. */
  readonly status: number;
  readonly at: string;
  readonly method: string;
  readonly route: string;
}

export interface SchemaCacheStatus {
  readonly loads: { readonly succeeded: number; readonly failed: number };
  /** Time of the last successful load; `undefined` before it. */
  readonly loadedAt?: string | undefined;
  readonly querySeconds: number;
  readonly relations: number;
  readonly relationships: number;
  readonly functions: number;
}

export interface ListenerStatus {
  readonly state: 'off' | 'listening' | 'lost';
  readonly channel: string;
}

export interface ShownOption {
  readonly name: string;
  /** The value as written in a configuration file; `undefined` if none is set. */
  readonly value?: string | undefined;
  /** The option has a value, which is not shown. */
  readonly isSecret: boolean;
  readonly isDefault: boolean;
}
