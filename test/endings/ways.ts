// Every way in which an answer can end, as data: what is asked for, what happens meanwhile, and what clients may see of it.
import { until } from '../server/support/until.ts';
import type { Conversation, LeaveBy } from './conversation.ts';
import { BAD_ROW, GOOD_ROWS, TRAP_STATE } from './fixture.ts';
import type { Format, Slice } from './formats.ts';
import type { Scene } from './scene.ts';

/** Whole and right; an error with its status; a beginning that a client can tell from the whole. */
export type Outcome = 'whole' | 'error' | 'cut';

export interface Way {
  readonly name: string;
  readonly slice: (format: Format, turns: number) => Slice;
  /** Undefined: nobody is there to see the end. */
  readonly outcomes: ((format: Format, turns: number) => readonly Outcome[]) | undefined;
  /** Answers before it may be whole. */
  readonly isLastCut?: boolean;
  readonly codes?: readonly string[];
  readonly act?: (client: Conversation, scene: Scene) => Promise<void>;
  readonly method?: string;
  /** Whose statements have a timeout. */
  readonly isHasty?: boolean;
  readonly header?: string;
  /** In the long form only. */
  readonly isLong?: boolean;
  /** Needs a socket. */
  readonly isOfSockets?: boolean;
  /** Is the same for all values that come whole. */
  readonly isOfRows?: boolean;
}

const rows = (first: number, last: number) => (): Slice => ({ kind: 'rows', first, last });
const always =
  (...outcomes: readonly Outcome[]) =>
  (): readonly Outcome[] =>
    outcomes;
const SHORT = rows(1, 50);
const LONG = rows(1, GOOD_ROWS);
/** Beyond what is held for slow readers, where connections can be kept for them. */
const wideIfLive = (_: Format, turns: number): Slice => (turns > 0 ? { kind: 'wide' } : LONG());

/** Rows that are held until all of them are there have no late errors. */
const isHeld = ({ failsLate }: Format, turns: number): boolean => !failsLate || turns === 0;

function failAt(name: string, slice: Way['slice'], late: readonly Outcome[]): Way {
  return {
    name,
    slice,
    outcomes: (format, turns) => (isHeld(format, turns) ? ['error'] : late),
    codes: [TRAP_STATE],
  };
}

/** Bytes from the place where the first bytes leave. */
const NEAR: readonly Way[] = [-8192, -300, -100, 0, 100, 300, 8192, 65_536].map((distance) => {
  const slice: Way['slice'] = ({ limit, rowBytes }) =>
    rows(BAD_ROW - Math.round((limit + distance) / rowBytes), BAD_ROW + 200)();
  const way = failAt(`fails ${distance} bytes off the first that leave`, slice, ['error', 'cut']);
  return Object.assign(way, { isOfRows: distance !== 0 });
});

const ENDS: readonly Way[] = [
  { name: 'ends, short', slice: SHORT, outcomes: always('whole') },
  { name: 'ends, long', slice: LONG, outcomes: always('whole') },
  { name: 'ends without a row', slice: rows(1, 0), outcomes: always('whole') },
  {
    name: 'ends, longer than memory may hold',
    slice: () => ({ kind: 'wide' }),
    outcomes: (_, turns) => (turns > 0 ? ['whole'] : ['error']),
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
    name: 'meets the timeout of its statement',
    slice: () => ({ kind: 'stalling' }),
    outcomes: ({ isLive }, turns) => (isLive && turns > 0 ? ['error', 'cut'] : ['error']),
    codes: ['57014'],
    isHasty: true,
  },
  {
    name: 'loses its backend',
    slice: () => ({ kind: 'wide' }),
    // Of two that run at a time, the second one's may be lost.
    outcomes: (_, turns) => (turns > 0 ? ['whole', 'cut'] : ['error']),
    isLastCut: true,
    codes: ['SVC005'],
    act: async (client, scene) => {
      await client.head();
      if (scene.turns === 0) return;
      await scene.untilSessions(`wait_event = 'ClientWrite'`);
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
  name: `has the header ${header} of a function`,
  slice: LONG,
  outcomes: always('whole', 'error'),
  codes: ['SVC111'],
  header,
}));

const LEAVE_BY: readonly LeaveBy[] = ['reset', 'close'];

const LEFT: readonly Way[] = LEAVE_BY.flatMap((how): readonly Way[] => [
  {
    name: `is left before its head by a ${how}`,
    slice: () => ({ kind: 'sleeping' }),
    outcomes: undefined,
    act: async (client, scene) => {
      await scene.untilSessions(`wait_event = 'PgSleep'`);
      client.leave(how);
    },
  },
  {
    name: `is left after its head by a ${how}`,
    slice: wideIfLive,
    outcomes: undefined,
    act: async (client) => {
      await client.head();
      client.leave(how);
    },
  },
  {
    name: `is left in its midst by a ${how}`,
    slice: wideIfLive,
    outcomes: undefined,
    act: async (client) => {
      await client.received(1_000_000);
      client.leave(how);
    },
  },
]);

/** Others are served meanwhile, and the server does not wait for ever. */
async function outlast(scene: Scene): Promise<void> {
  await scene.servesOthers();
  await until(async () => (await scene.sessions(`state <> 'idle'`)) === 0, { seconds: 10, why: () => 'no statement' });
  await scene.servesOthers();
}

const SLOW: readonly Way[] = [
  {
    name: 'is not read on',
    slice: wideIfLive,
    outcomes: (_, turns) => (turns > 0 ? ['cut'] : ['whole', 'cut']),
    act: async (client, scene) => {
      await client.head();
      await outlast(scene);
    },
  },
  {
    name: 'is read in drips',
    slice: wideIfLive,
    outcomes: (_, turns) => (turns > 0 ? ['cut'] : ['whole', 'cut']),
    isOfSockets: true,
    act: async (client, scene) => {
      await client.head();
      client.trickle();
      await outlast(scene);
    },
  },
];

export const WAYS: readonly Way[] = [...ENDS, ...FAILS, ...HEADERS, ...LEFT, ...SLOW];
