// Limits the number of open event streams.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { ApiError } from '../../errors/api-error.ts';

export type StreamKind = 'channels' | 'rows';

type Limits = Pick<AppConfig, 'eventsMaxStreams' | 'liveMaxStreams'>;

const LIMITS = {
  channels: { key: 'eventsMaxStreams', option: 'events-max-streams' },
  rows: { key: 'liveMaxStreams', option: 'live-max-streams' },
} as const;

/** @returns undefined if another stream may be opened */
export function findShortage(kind: StreamKind, open: number, limits: Limits): ApiError | undefined {
  const { key, option } = LIMITS[kind];
  const maximum = limits[key];
  return open < maximum ? undefined : { kind: 'overloaded', details: `${maximum} event streams are open`, option };
}
