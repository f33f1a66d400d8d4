// What the admin server tells at `/status`, read by its page: how the server is now, and what it has counted since its start.
// Nothing in it is secret, and nothing is a value of a request. Times are as in RFC 3339.

export interface StatusDocument {
  readonly product: { readonly name: string; readonly version: string };
  readonly dialect: string;
  readonly versions: {
    readonly node: string;
    /** Undefined before the database was reached. */
    readonly postgres?: string | undefined;
  };
  readonly uptimeSeconds: number;
  /** As `/live` and `/ready` answer. */
  readonly isLive: boolean;
  readonly isReady: boolean;
  /** Why it is not ready, in sentences. */
  readonly problems: readonly string[];
  readonly pool: PoolStatus;
  /** Undefined where one process does it all. */
  readonly workers?: readonly WorkerStatus[] | undefined;
  readonly requests: RequestStatus;
  /** By the option that sets the limit. */
  readonly refusals: readonly { readonly limit: string; readonly count: number }[];
  /** Of the last minutes, slowest first. */
  readonly slowest: readonly SlowShape[];
  /** Latest first. */
  readonly errors: readonly ErrorStatus[];
  readonly schemaCache: SchemaCacheStatus;
  readonly listener: ListenerStatus;
  readonly tokenCache: { readonly requests: number; readonly hits: number; readonly evictions: number };
  /** By name. */
  readonly configuration: readonly ShownOption[];
}

export interface PoolStatus {
  readonly max: number;
  /** Connections, idle or in use. */
  readonly open: number;
  readonly inUse: number;
  /** Requests without a connection. */
  readonly waiting: number;
  /** Requests that waited too long. */
  readonly timeouts: number;
}

/** A process that answers requests. */
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
    /** Upper bounds in seconds; the last count is of what took longer than all of them. */
    readonly bounds: readonly number[];
    readonly counts: readonly number[];
    readonly seconds: number;
  };
}

/** Of all requests of one method on one route, the slowest. */
export interface SlowShape {
  /** Method, route and names of parameters: `GET /houses?select&limit`. */
  readonly shape: string;
  readonly milliseconds: number;
  readonly at: string;
  /** Of this method on this route. */
  readonly requests: number;
  readonly meanMilliseconds: number;
}

export interface ErrorStatus {
  readonly code: string;
  readonly count: number;
  /** Of the last one. */
  readonly status: number;
  readonly at: string;
  readonly method: string;
  readonly route: string;
}

export interface SchemaCacheStatus {
  readonly loads: { readonly succeeded: number; readonly failed: number };
  /** Of the last load that succeeded; undefined before it. */
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
  /** As a configuration file states it; undefined where nothing is set. */
  readonly value?: string | undefined;
  /** The value is set, and not told. */
  readonly isSecret: boolean;
  readonly isDefault: boolean;
}
