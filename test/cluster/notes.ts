// What clients asked and were told, and what it amounts to when held against the table. Pure.

/** `unknown`: no answer came, or one that says that nobody knows. */
type Told = 'written' | 'refused' | 'unknown';

export interface Note {
  readonly kind: 'write' | 'read' | 'positioned read';
  /** The number that the client gave to the write, or that it looked for. */
  readonly request: number;
  /** Milliseconds of the monotonic clock, when the answer was there. */
  readonly at: number;
  /** `201`, `503 SVC001`, `ECONNRESET`. */
  readonly what: string;
  /** A read did not find what had been written up to its position. */
  readonly isStale: boolean;
}

export interface Period {
  readonly start: number;
  readonly end: number;
}

export interface Tally {
  readonly writes: number;
  readonly reads: number;
  readonly positionedReads: number;
  /** By kind of request and answer: how often. */
  readonly errors: Readonly<Record<string, number>>;
  /** Numbers of writes that were answered with success and are not there. */
  readonly lost: readonly number[];
  readonly doubled: readonly number[];
  /** Refused, and there all the same. */
  readonly untrue: readonly number[];
  readonly stale: readonly number[];
  /** Milliseconds. */
  readonly longestWithoutWrite: number;
}

/** @param stored how often each number is in the table */
export function tally(notes: readonly Note[], period: Period, stored: ReadonlyMap<number, number>): Tally {
  const within = notes.filter(({ at }) => at >= period.start && at <= period.end);
  const writes = within.filter(({ kind }) => kind === 'write');
  const count = ({ request }: Note): number => stored.get(request) ?? 0;
  const requests = (found: readonly Note[]): readonly number[] => found.map(({ request }) => request);
  return {
    writes: writes.length,
    reads: within.filter(({ kind }) => kind === 'read').length,
    positionedReads: within.filter(({ kind }) => kind === 'positioned read').length,
    errors: countErrors(within),
    lost: requests(writes.filter((note) => toldOf(note) === 'written' && count(note) === 0)),
    doubled: requests(writes.filter((note) => count(note) > 1)),
    untrue: requests(writes.filter((note) => toldOf(note) === 'refused' && count(note) > 0)),
    stale: requests(within.filter(({ isStale }) => isStale)),
    longestWithoutWrite: findLongestGap(writes, period),
  };
}

/** The first write that succeeded after that moment. */
export function firstWriteAfter(notes: readonly Note[], moment: number): number {
  return notes.find(({ kind, at, what }) => kind === 'write' && at > moment && what === '201')?.at ?? Infinity;
}

function isError({ what }: Note): boolean {
  return !/^2\d\d$/u.test(what);
}

function countErrors(notes: readonly Note[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const note of notes.filter((each) => isError(each))) {
    const name = `${note.kind} ${note.what}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Answers of Rowhouse with a code say that nothing was written, but for one; those of nginx say nothing. */
function toldOf(note: Note): Told {
  if (!isError(note)) return 'written';
  const [, code] = /^\d{3} (\w+)$/u.exec(note.what) ?? [];
  return code === undefined || code === 'SVC004' ? 'unknown' : 'refused';
}

function findLongestGap(writes: readonly Note[], { start, end }: Period): number {
  const moments = [start, ...writes.filter((note) => !isError(note)).map(({ at }) => at), end];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}
