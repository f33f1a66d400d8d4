// Counts of a server's sessions and of the requests that wait for one.

export interface SupplyStatistics {
  readonly open: number;
  /** Idle sessions. */
  readonly available: number;
  readonly waiting: number;
  readonly max: number;
  /** Since startup. */
  readonly timeouts: number;
}
