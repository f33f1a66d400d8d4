// A position in the write-ahead log, which a client passes from a write to its next read: `1:0/16B3748` is the
// timeline, which increases with every promotion, and the LSN in PostgreSQL's notation (`docs/decisions/replicas.md`).

export interface LogPosition {
  readonly timeline: number;
  readonly lsn: bigint;
}

const POSITION = /^(\d{1,10}):(.+)$/u;
const LSN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/iu;
const MAX_TIMELINE = 0xffff_ffff;

/** https://www.postgresql.org/docs/current/datatype-pg-lsn.html */
export function parseLsn(text: string): bigint | undefined {
  const [, high, low] = LSN.exec(text) ?? [];
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function renderLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

export function parseLogPosition(text: string): LogPosition | undefined {
  const [, timelineText, lsnText = ''] = POSITION.exec(text) ?? [];
  const timeline = Number(timelineText);
  const lsn = parseLsn(lsnText);
  return lsn === undefined || !(timeline <= MAX_TIMELINE) ? undefined : { timeline, lsn };
}

export function renderLogPosition({ timeline, lsn }: LogPosition): string {
  return `${timeline}:${renderLsn(lsn)}`;
}

/**
 * Whether a server at `position` has everything that `required` covers. That is also true on a later timeline: changes
 * of an earlier timeline that it lacks are lost everywhere.
 */
export function hasReached(position: LogPosition, required: LogPosition): boolean {
  return position.timeline >= required.timeline && position.lsn >= required.lsn;
}

/** The position on the later timeline covers every change of the other one that still exists. */
export function laterPosition(a: LogPosition, b: LogPosition): LogPosition {
  if (a.timeline !== b.timeline) return a.timeline > b.timeline ? a : b;
  return a.lsn > b.lsn ? a : b;
}
