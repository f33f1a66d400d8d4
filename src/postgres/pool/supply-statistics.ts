// Counts of the sessions of one server, and of those who wait for one.

export interface SupplyStatistics {
  readonly open: number;
  /** Open minus in use. */
  readonly available: number;
  readonly waiting: number;
  readonly max: number;
  /** Since the start. */
  readonly timeouts: number;
}
