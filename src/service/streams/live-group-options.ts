// The options and counters of a group of live streams.
import type { ApiError } from '../../errors/api-error.ts';
import type { EventStore } from '../../live/event-ring.ts';
import type { Interests } from '../../live/interests.ts';
import type { LiveMemory } from '../../live/live-memory.ts';
import type { CreateHash } from '../../live/sent-rows.ts';
import type { Observe } from '../../observe/observation.ts';
import type { EventBody } from './event-body.ts';
import type { LiveReader, Watched } from './live-reader.ts';

export interface LiveGroupOptions {
  readonly watched: Watched;
  readonly reader: LiveReader;
  readonly memory: LiveMemory;
  readonly store: EventStore;
  /** Passes changes of the database on to the group. */
  readonly interests: Interests;
  /** Returns a keyed hash of the group and the number of an event, for its id. */
  readonly sign: (number: number) => string;
  readonly createHash: CreateHash;
  readonly settings: () => GroupSettings;
  readonly counts: LiveCounts;
  readonly observe: Observe;
  /** Called with the streams of the group when an error has ended it. */
  readonly onEnd: (bodies: readonly EventBody[], error: ApiError) => void;
}

/** A request for a stream. It waits for a read that begins after its arrival. */
export interface JoiningRequest {
  /** Id of the last event that the client has received; undefined if it is new. */
  readonly lastId: string | undefined;
  /** Opens the body of the stream. Returns undefined if the client has disconnected. */
  readonly open: () => EventBody | undefined;
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
