// What the process of the clients is asked to do, and what it reports.

export interface OpenOrder {
  readonly kind: 'open';
  readonly port: number;
  /** Number of connections. */
  readonly streams: number;
  /** Reads of each connection; undefined: one read, which is the request. */
  readonly listed: number | undefined;
  /** Number of rooms that are watched in turn. */
  readonly rooms: number;
  /** Whether the clients watch the table that nobody writes to. */
  readonly isIdle: boolean;
  /** Whether the streams are asked for positions. */
  readonly hasPositions: boolean;
  /** Whether the filter is an equality, which the server looks up. */
  readonly isIndexed: boolean;
  /** Milliseconds between two reads of a client that polls; undefined: clients watch. */
  readonly polling: number | undefined;
}

export interface WriteOrder {
  readonly kind: 'write';
  readonly databaseUri: string;
  readonly commitsPerSecond: number;
  readonly seconds: number;
}

export interface StormOrder {
  readonly kind: 'storm';
}

export type Order = OpenOrder | WriteOrder | StormOrder;

export interface Opened {
  /** Milliseconds until half of the clients, 99 % of them, and all had their rows. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Responses with status 503; the clients have tried again. */
  readonly refused: number;
}

export interface Written {
  readonly commits: number;
  /** Milliseconds from the moment when an UPDATE was due until each client had its row, or a later state of the room. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Pairs of a client and a commit that the client has received. */
  readonly received: number;
  readonly missed: number;
  /** Pairs by powers of the square root of two of the milliseconds. */
  readonly histogram: readonly number[];
}
