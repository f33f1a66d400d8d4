// The limits of the HTTP servers: what one client may take, and what all may. They are ours.
import type { OptionGroup } from './option.ts';
import { integer } from './option-types.ts';

/** At most a day. */
const TIMEOUT_SECONDS = integer(1, 86_400);
const MILLION = 1_000_000;

export type LimitOptions = OptionGroup<'serverBody' | 'serverHeaders' | 'serverKeepAlive' | 'serverMax' | 'serverSend'>;

export const LIMIT_OPTIONS: LimitOptions = {
  serverBodyTimeout: {
    name: 'server-body-timeout',
    type: TIMEOUT_SECONDS,
    default: 60,
    doc: 'Seconds that a request body may take, and one more for each kilobyte; also the longest pause in it',
    dump: 'whenChanged',
  },
  serverHeadersTimeout: {
    name: 'server-headers-timeout',
    type: TIMEOUT_SECONDS,
    default: 60,
    doc: 'Seconds in which a new connection sends the head of its request, or one in use the rest of a head',
    isFixed: true,
    dump: 'whenChanged',
  },
  serverKeepAliveTimeout: {
    name: 'server-keep-alive-timeout',
    type: TIMEOUT_SECONDS,
    default: 75,
    doc: 'Seconds that an idle connection is kept for the next request; longer than proxies keep theirs',
    isFixed: true,
    dump: 'whenChanged',
  },
  serverMaxBodySize: {
    name: 'server-max-body-size',
    type: integer(0),
    default: 1_073_741_824,
    doc: 'Most bytes of a request body that are held in memory: of one whose rows are inserted while they arrive, those of a row',
    dump: 'whenChanged',
  },
  serverMaxConnectionRequests: {
    name: 'server-max-connection-requests',
    type: integer(1, 1000),
    default: 1,
    doc: 'Most requests of one connection that are worked on at a time; those sent ahead wait for their turn',
    dump: 'whenChanged',
  },
  serverMaxConnections: {
    name: 'server-max-connections',
    type: integer(1, MILLION),
    default: 10_000,
    doc: 'Most connections that clients may have open; further ones are closed at once',
    isFixed: true,
    dump: 'whenChanged',
  },
  serverMaxHeaders: {
    name: 'server-max-headers',
    type: integer(1, 10_000),
    default: 200,
    doc: 'Most header fields a request may have',
    isFixed: true,
    dump: 'whenChanged',
  },
  serverMaxJsonDepth: {
    name: 'server-max-json-depth',
    type: integer(0),
    default: 512,
    doc: 'Most levels of arrays and objects in a request body',
    dump: 'whenChanged',
  },
  serverMaxRequests: {
    name: 'server-max-requests',
    type: integer(1, MILLION),
    default: 1000,
    doc: 'Most requests at a time that hold or await a connection to the database; further ones are refused',
    dump: 'whenChanged',
  },
  serverMaxWait: {
    name: 'server-max-wait',
    type: integer(0, 3600),
    default: 1,
    doc: 'Seconds of waiting for a connection to the database, as estimated under load, beyond which requests are refused; 0 lets all wait',
    dump: 'whenChanged',
  },
  serverSendTimeout: {
    name: 'server-send-timeout',
    type: TIMEOUT_SECONDS,
    default: 60,
    doc: 'Seconds after which a client that takes nothing of its response, or less than 1 kB/s on average, is disconnected',
    dump: 'whenChanged',
  },
};
