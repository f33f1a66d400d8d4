// Decides which lines each `log-level` includes (`operating.md` §10.1).
import type { LogLevel } from '../config/table/app-config.ts';

const RANKS: Readonly<Record<LogLevel, number>> = { crit: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** Whether lines of `level` are written if `current` is configured. */
export function isLogged(level: LogLevel, current: LogLevel): boolean {
  return RANKS[level] <= RANKS[current];
}

/** The lowest level at which requests with this status appear in the access log. */
export function levelOfStatus(status: number): LogLevel {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}
