// The notes of clients about their requests and responses, and their tally against the table. No I/O.

/** `unknown`: no response arrived, or one that says the outcome is unknown. */
type Verdict = 'written' | 'refused' | 'unknown';

export interface Note {
  readonly kind: 'write' | 'read' | 'positioned read';
  /** The number that the client gave to the write, or that the read looks for. */
  readonly request: number;
  /** Time of the response on the monotonic clock in milliseconds. */
  readonly at: number;
  /** For example `201`, `503 SVC001`, `ECONNRESET`. */
  readonly outcome: string;
  /** True if a read did not find a write at or before its position. */
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
  /** Number of errors by kind of request and response. */
  readonly errors: Readonly<Record<string, number>>;
  /** Numbers of writes that were answered with success but are not stored. */
  readonly lost: readonly number[];
  readonly doubled: readonly number[];
  /** Rejected, but stored nevertheless. */
  readonly untrue: readonly number[];
  readonly stale: readonly number[];
  /** In milliseconds. */
  readonly longestWithoutWrite: number;
}

/** @param stored how often the table contains each number */
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
    lost: requests(writes.filter((note) => verdictOf(note) === 'written' && count(note) === 0)),
    doubled: requests(writes.filter((note) => count(note) > 1)),
    untrue: requests(writes.filter((note) => verdictOf(note) === 'refused' && count(note) > 0)),
    stale: requests(within.filter(({ isStale }) => isStale)),
    longestWithoutWrite: findLongestGap(writes, period),
  };
}

/** Returns the time of the first successful write after a moment. */
export function firstWriteAfter(notes: readonly Note[], moment: number): number {
  return notes.find(({ kind, at, outcome }) => kind === 'write' && at > moment && outcome === '201')?.at ?? Infinity;
}

function isError({ outcome }: Note): boolean {
  return !/^2\d\d$/u.test(outcome);
}

function countErrors(notes: readonly Note[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const note of notes.filter((each) => isError(each))) {
    const name = `${note.kind} ${note.outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/**
 * Responses of Rowhouse with a code mean that nothing was written, except for one code; responses of nginx mean
 * nothing.
 */
function verdictOf(note: Note): Verdict {
  if (!isError(note)) return 'written';
  const [, code] = /^\d{3} (\w+)$/u.exec(note.outcome) ?? [];
  return code === undefined || code === 'SVC004' ? 'unknown' : 'refused';
}

function findLongestGap(writes: readonly Note[], { start, end }: Period): number {
  const moments = [start, ...writes.filter((note) => !isError(note)).map(({ at }) => at), end];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}
