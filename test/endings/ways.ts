// Every way in which a response can end, as data: the request, the events meanwhile, and the outcomes that clients may
// see.
import { until } from '../support/until.ts';
import type { Conversation, LeaveBy } from './conversation.ts';
import { BAD_ROW, GOOD_ROWS, TRAP_STATE } from './fixture.ts';
import type { Format, Slice } from './formats.ts';
import type { Scene } from './scene.ts';

/** Complete and correct; an error with its status; or a beginning that a client can tell from a complete response. */
export type Outcome = 'whole' | 'error' | 'cut';

export interface Way {
  readonly name: string;
  readonly slice: (format: Format, permits: number) => Slice;
  /** The allowed outcomes; undefined if no client sees the end. */
  readonly outcomes: ((format: Format, permits: number) => readonly Outcome[]) | undefined;
  /** If true, the last response is cut off if any is; the ones before it may be complete. */
  readonly isLastCut?: boolean;
  readonly codes?: readonly string[];
  readonly act?: (client: Conversation, scene: Scene) => Promise<void>;
  readonly method?: string;
  /** If true, statements have a timeout. */
  readonly hasStatementTimeout?: boolean;
  readonly header?: string;
  /** If true, only in the long form. */
  readonly isLong?: boolean;
  /** If true, requires a socket. */
  readonly isOfSockets?: boolean;
  /** If true, only for formats that are sent row by row: formats of a single value behave alike. */
  readonly isOfRows?: boolean;
}

const rows = (first: number, last: number) => (): Slice => ({ kind: 'rows', first, last });
const always =
  (...outcomes: readonly Outcome[]) =>
  (): readonly Outcome[] =>
    outcomes;
const SHORT = rows(1, 50);
const LONG = rows(1, GOOD_ROWS);
/** More than is buffered for slow readers, if they can keep a connection. */
const wideIfLive = (_: Format, permits: number): Slice => (permits > 0 ? { kind: 'wide' } : LONG());

/** Rows that are buffered until complete have no late errors. */
const isHeld = ({ failsLate }: Format, permits: number): boolean => !failsLate || permits === 0;

function failAt(name: string, slice: Way['slice'], late: readonly Outcome[]): Way {
  return {
    name,
    slice,
    outcomes: (format, permits) => (isHeld(format, permits) ? ['error'] : late),
    codes: [TRAP_STATE],
  };
}

/** Distances in bytes from the point at which the first bytes are sent. */
const NEAR: readonly Way[] = [-8192, -300, -100, 0, 100, 300, 8192, 65_536].map((distance) => {
  const slice: Way['slice'] = ({ limit, rowBytes }) =>
    rows(BAD_ROW - Math.round((limit + distance) / rowBytes), BAD_ROW + 200)();
  const way = failAt(`fails ${distance} bytes from the first bytes sent`, slice, ['error', 'cut']);
  return Object.assign(way, { isOfRows: distance !== 0 });
});

const ENDS: readonly Way[] = [
  { name: 'ends, short', slice: SHORT, outcomes: always('whole') },
  { name: 'ends, long', slice: LONG, outcomes: always('whole') },
  { name: 'ends without rows', slice: rows(1, 0), outcomes: always('whole') },
  {
    name: 'ends, longer than the memory limit',
    slice: () => ({ kind: 'wide' }),
    outcomes: (_, permits) => (permits > 0 ? ['whole'] : ['error']),
    codes: ['SVC005'],
    isLong: true,
  },
  { name: 'has no body for HEAD', slice: LONG, outcomes: always('whole'), method: 'HEAD' },
];

const FAILS: readonly Way[] = [
  failAt('fails with the first row', rows(BAD_ROW, BAD_ROW), ['error']),
  ...NEAR,
  failAt('fails late', rows(1, BAD_ROW + 200), ['cut']),
  failAt('fails with the last row', rows(1, BAD_ROW), ['cut']),
  {
    name: 'exceeds its statement timeout',
    slice: () => ({ kind: 'stalling' }),
    outcomes: ({ isLive }, permits) => (isLive && permits > 0 ? ['error', 'cut'] : ['error']),
    codes: ['57014'],
    hasStatementTimeout: true,
  },
  {
    name: 'loses its backend',
    slice: () => ({ kind: 'wide' }),
    // Of two concurrent responses, the second one may be lost.
    outcomes: (_, permits) => (permits > 0 ? ['whole', 'cut'] : ['error']),
    isLastCut: true,
    codes: ['SVC005'],
    act: async (client, scene) => {
      await client.head();
      if (scene.permits === 0) return;
      await scene.terminate();
    },
  },
];

const HEADERS: readonly Way[] = [
  'Trailer',
  'Transfer-Encoding',
  'Content-Length',
  'Connection',
  'Keep-Alive',
  'Upgrade',
  'TE',
].map((header) => ({
  name: `has the header ${header} set by a function`,
  slice: LONG,
  outcomes: always('whole', 'error'),
  codes: ['SVC111'],
  header,
}));

const LEAVE_BY: readonly LeaveBy[] = ['reset', 'close'];

const LEFT: readonly Way[] = LEAVE_BY.flatMap((how): readonly Way[] => [
  {
    name: `is abandoned before its head by a ${how}`,
    slice: () => ({ kind: 'sleeping' }),
    outcomes: undefined,
    act: async (client, scene) => {
      await scene.untilSessions(`wait_event = 'PgSleep'`);
      client.leave(how);
    },
  },
  {
    name: `is abandoned after its head by a ${how}`,
    slice: wideIfLive,
    outcomes: undefined,
    act: async (client) => {
      await client.head();
      client.leave(how);
    },
  },
  {
    name: `is abandoned in the middle by a ${how}`,
    slice: wideIfLive,
    outcomes: undefined,
    act: async (client) => {
      await client.received(1_000_000);
      client.leave(how);
    },
  },
]);

/** Checks that others are served meanwhile, and that the server gives up on the client. */
async function outlast(scene: Scene): Promise<void> {
  await scene.servesOthers();
  await until(async () => (await scene.sessions(`state <> 'idle'`)) === 0, { seconds: 10, why: () => 'no statement' });
  await scene.servesOthers();
}

const SLOW: readonly Way[] = [
  {
    name: 'is no longer read',
    slice: wideIfLive,
    outcomes: (_, permits) => (permits > 0 ? ['cut'] : ['whole', 'cut']),
    act: async (client, scene) => {
      await client.head();
      await outlast(scene);
    },
  },
  {
    name: 'is read too slowly',
    slice: wideIfLive,
    outcomes: (_, permits) => (permits > 0 ? ['cut'] : ['whole', 'cut']),
    isOfSockets: true,
    act: async (client, scene) => {
      await client.head();
      client.trickle();
      await outlast(scene);
    },
  },
];

export const WAYS: readonly Way[] = [...ENDS, ...FAILS, ...HEADERS, ...LEFT, ...SLOW];
