// `@rowhouse/live`: current rows of a server, many reads on one connection.
import type { ApiOptions, Token } from './api.ts';
import { Live, type LiveStatus, type WatchOptions } from './live.ts';
import { LiveError } from './live-error.ts';
import { comparePositions } from './positions.ts';
import type { RowsOptions } from './rows.ts';
import type { Change } from './watched-read.ts';

export type ConnectOptions = ApiOptions;
export { comparePositions, Live, LiveError };
export type { Change, LiveStatus, RowsOptions, Token, WatchOptions };

/** Makes a connection, which is opened a moment after the first read. */
export function connect(options: ConnectOptions): Live {
  return new Live(options);
}
