// Options for event streams: channels and live rows (`beyond.md` §3.1, §3.1b).
import type { OptionGroup } from './option.ts';
import { integer, LIST, STRING } from './option-types.ts';

const EVENTS_OPTIONS: OptionGroup<'events'> = {
  eventsMaxStreams: {
    name: 'events-max-streams',
    type: integer(0),
    default: 1000,
    doc: 'Maximum number of open event streams of channels; further ones get status 503',
    isOwn: true,
  },
};

const LIVE_OPTIONS: OptionGroup<'live'> = {
  liveBufferSize: {
    name: 'live-buffer-size',
    type: integer(0),
    default: 16_777_216,
    doc: 'Bytes of events that are kept for clients that reconnect to live responses',
    isOwn: true,
  },
  liveDbUri: {
    name: 'live-db-uri',
    type: STRING,
    default: undefined,
    example: 'postgres://replicator@localhost/app',
    doc: 'Connection string of a login with REPLICATION, which reads the changes for live responses; db-uri when unset',
    isOwn: true,
    isFixed: true,
  },
  liveHeaders: {
    name: 'live-headers',
    type: LIST,
    default: [],
    example: 'x-tenant',
    doc: 'Request headers that the setting request.headers contains in live responses; clients that differ in them share no reads',
    isOwn: true,
  },
  liveIgnoreClaims: {
    name: 'live-ignore-claims',
    type: LIST,
    default: [],
    example: 'iat, exp, nbf, jti',
    doc: 'Claims that live responses do not pass to the database; clients that differ only in them share reads',
    isOwn: true,
  },
  liveInterval: {
    name: 'live-interval',
    type: integer(0),
    default: 250,
    doc: 'Minimum milliseconds between two reads of a live response whose rows are read as a whole',
    isOwn: true,
  },
  liveMaxBytes: {
    name: 'live-max-bytes',
    type: integer(0),
    default: 268_435_456,
    doc: 'Bytes that all live responses of a process may hold: keys and hashes of rows, results being read, and events',
    isOwn: true,
  },
  liveMaxRows: {
    name: 'live-max-rows',
    type: integer(1),
    default: 1000,
    doc: 'Maximum number of rows of a live response; db-max-rows limits it too',
    isOwn: true,
  },
  liveMaxStreams: {
    name: 'live-max-streams',
    type: integer(0),
    default: 1000,
    doc: 'Maximum number of open live responses; further ones get status 503',
    isOwn: true,
  },
  livePublication: {
    name: 'live-publication',
    type: STRING,
    default: undefined,
    example: 'rowhouse_live',
    doc: 'Publication of the tables whose rows can be watched; reads cannot be watched when unset',
    isOwn: true,
    isFixed: true,
  },
  liveResync: {
    name: 'live-resync',
    type: integer(1),
    default: 60,
    doc: 'Seconds after which a live response reads all its rows again, even if nothing seems to have changed',
    isOwn: true,
  },
};

export const STREAM_OPTIONS: OptionGroup<'events' | 'live'> = { ...EVENTS_OPTIONS, ...LIVE_OPTIONS };
