/** Returns the seconds to wait before the n-th retry (from 0): 1, 2, 4 … 32, 32 (`operating.md` §6.5). */
export function retryDelay(attempt: number): number {
  return 2 ** Math.min(attempt, 5);
}
