// Every way in which a row body that is inserted while it arrives can end, as data.
import { BAD_ROW } from './fixture.ts';
import { MAX_BODY } from './hosts.ts';
import type { Conversation, LeaveBy } from './conversation.ts';
import type { Scene } from './scene.ts';

export interface UploadFormat {
  readonly name: string;
  readonly type: string;
  readonly begin: string;
  readonly row: (id: number) => string;
  /** A row that violates a constraint. */
  readonly badRow: string;
}

const NOTE = 'n'.repeat(80);

export const UPLOAD_FORMATS: readonly UploadFormat[] = [
  {
    name: 'lines',
    type: 'application/x-ndjson',
    begin: '',
    row: (id) => `{"id":${id},"note":"${NOTE}"}\n`,
    badRow: `{"id":${BAD_ROW},"note":null}\n`,
  },
  {
    name: 'CSV',
    type: 'text/csv',
    begin: 'id,note\n',
    row: (id) => `${id},${NOTE}\n`,
    badRow: `${BAD_ROW},NULL\n`,
  },
];

export interface UploadWay {
  readonly name: string;
  readonly target: string;
  /** Returns the bytes that are sent first; unless `ends` is set, the body continues. */
  readonly body: (format: UploadFormat) => string;
  readonly ends: boolean;
  readonly act?: (client: Conversation, scene: Scene) => Promise<void>;
  /** The number of stored rows, or error codes; undefined if no client sees the end. */
  readonly expected:
    | ((permits: number) => { readonly rows: number } | { readonly codes: readonly string[] })
    | undefined;
  /** True if it relies on the server watching its sockets. A Fetch API handler leaves that to its host. */
  readonly isOfSockets?: boolean;
  /** True if it requires that bodies are inserted while they arrive. */
  readonly needsPermit?: boolean;
}

/** Rows of more than one batch. */
const FIRST = 20_000;
const MANY = 40_000;
const INBOX = '/inbox';
const ARRIVING = `state = 'idle in transaction'`;

function rowsOf(format: UploadFormat, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => format.row(index + 1));
  return format.begin + rows.join('');
}

const first = (format: UploadFormat): string => rowsOf(format, FIRST);
const withBadRow = (format: UploadFormat): string =>
  first(format) + format.badRow + rowsOf({ ...format, begin: '' }, FIRST);
const keeps = (rows: number) => () => ({ rows });
const fails =
  (...codes: readonly string[]) =>
  () => ({ codes });

/** Checks that others are served while the body is awaited. */
async function whileArriving(_: Conversation, scene: Scene): Promise<void> {
  if (scene.permits > 0) await scene.untilSessions(ARRIVING);
  await scene.servesOthers();
}

const CUT: readonly UploadWay[] = (['reset', 'close'] as const).map((how: LeaveBy) => ({
  name: `is cut by a ${how}`,
  target: INBOX,
  body: first,
  ends: false,
  act: async (client, scene) => {
    await whileArriving(client, scene);
    client.leave(how);
  },
  expected: undefined,
}));

/** Rows of a body that is longer than a buffered body may be. */
const LONGEST = Math.ceil((1.2 * MAX_BODY) / 80);

export const UPLOAD_WAYS: readonly UploadWay[] = [
  { name: 'ends, short', target: INBOX, body: (format) => rowsOf(format, 10), ends: true, expected: keeps(10) },
  { name: 'ends, long', target: INBOX, body: (format) => rowsOf(format, MANY), ends: true, expected: keeps(MANY) },
  {
    name: 'is longer than a buffered body may be',
    target: INBOX,
    body: (format) => rowsOf(format, LONGEST),
    ends: true,
    expected: (permits) => (permits > 0 ? { rows: LONGEST } : { codes: ['SVC129'] }),
  },
  { name: 'has a bad row', target: INBOX, body: withBadRow, ends: true, expected: fails('23502') },
  {
    name: 'has a bad row and continues',
    target: INBOX,
    body: withBadRow,
    ends: false,
    expected: fails('23502'),
    needsPermit: true,
  },
  {
    name: 'stalls',
    target: INBOX,
    body: first,
    ends: false,
    act: whileArriving,
    expected: fails('SVC129'),
    isOfSockets: true,
  },
  {
    name: 'stalls before its first rows',
    target: INBOX,
    body: (format) => (format.begin + format.row(1)).slice(0, 6),
    ends: false,
    act: (_, scene) => scene.servesOthers(),
    expected: fails('SVC129'),
    isOfSockets: true,
  },
  {
    name: 'lacks the privilege and continues',
    target: '/closed',
    body: first,
    ends: false,
    expected: fails('42501'),
    needsPermit: true,
  },
  {
    name: 'has an unknown target and continues',
    target: '/nothing',
    body: first,
    ends: false,
    expected: fails('SVC205'),
  },
  ...CUT,
  {
    name: 'loses its backend',
    target: INBOX,
    body: first,
    ends: false,
    act: async (_, scene) => {
      await scene.untilSessions(ARRIVING);
      await scene.harbor.terminate(`state <> 'idle' and query like '%inbox%'`);
    },
    expected: fails('SVC000', 'SVC001', '57P01'),
    needsPermit: true,
  },
];
