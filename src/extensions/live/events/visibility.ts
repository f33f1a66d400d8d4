// Decides from a snapshot of the database which transactions it shows. The log reports a commit before other sessions
// see it.

/** Contents of `pg_current_snapshot()`, with epochs. */
export interface Snapshot {
  /** The first transaction that had not begun. */
  readonly end: bigint;
  readonly running: ReadonlySet<bigint>;
}

const EPOCH = 2n ** 32n;

/** @param text `xmin:xmax:xip,xip` */
export function parseSnapshot(text: string): Snapshot {
  const [, end = '0', running = ''] = text.split(':');
  return { end: BigInt(end), running: new Set(running === '' ? [] : running.split(',').map(BigInt)) };
}

/** @param xid without its epoch: at most 2^31 transactions behind the snapshot */
export function shows({ end, running }: Snapshot, xid: number): boolean {
  const full = (end & ~(EPOCH - 1n)) | BigInt(xid);
  const behind = full > end + EPOCH / 2n ? full - EPOCH : full;
  return behind < end && !running.has(behind);
}
