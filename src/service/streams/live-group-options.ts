// What a group of live streams needs, and what it counts.
import type { ApiError } from '../../errors/api-error.ts';
import type { EventStore } from '../../live/event-ring.ts';
import type { Interests } from '../../live/interests.ts';
import type { LiveReader, Watched } from './live-reader.ts';

export interface LiveGroupOptions {
  readonly watched: Watched;
  readonly reader: LiveReader;
  readonly store: EventStore;
  /** Passes changes of the database on to the group. */
  readonly interests: Interests;
  /** Part of the ids of events; differs from that of every other group. */
  readonly epoch: string;
  readonly settings: () => GroupSettings;
  readonly counts: LiveCounts;
  /** Called when a read has failed for good. The group must not be used any more. */
  readonly onFailure: (error: ApiError) => void;
}

export interface GroupSettings {
  /** Milliseconds between two reads of all rows. */
  readonly interval: number;
  /** Seconds. */
  readonly resync: number;
}

export interface LiveCounts {
  reads: number;
  resets: number;
}
