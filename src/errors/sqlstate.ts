// Maps a SQLSTATE to an HTTP status (`writing.md` §19.6): exact codes first, then classes, otherwise 400.
import type { Dialect } from '../contract/dialect.ts';
import type { DatabaseReport } from './api-error.ts';

/** Reported by the server itself (`beyond.md` §2.3). */
export const ROW_CHANGED_TWICE = { sqlstate: '21000', message: 'PATCH cannot change a row a second time' } as const;

const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map([
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['53400', 500],
  ['57P01', 503],
  ['P0001', 400],
  ['42P01', 404],
  ['42P17', 500],
]);

const STATUS_BY_CLASS: ReadonlyMap<string, number> = new Map([
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['53', 503],
  ['54', 500],
  ['55', 500],
  ['57', 500],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0', 500],
  ['XX', 500],
]);

export interface ReportContext {
  readonly dialect: Dialect;
  /** Whether the effective role is the configured anonymous role. */
  readonly isAnonymous: boolean;
}

export function statusOfReport(report: DatabaseReport, { dialect, isAnonymous }: ReportContext): number {
  const { sqlstate, message } = report;
  const exact = STATUS_BY_CODE.get(sqlstate) ?? statusByMessage(sqlstate, message, isAnonymous);
  if (exact !== undefined) return exact;
  if (sqlstate.startsWith('PT')) {
    // `PT402` raises HTTP 402; numbers that cannot be sent become 500 (`writing.md` §0.2 D14).
    const status = /^PT\d{3}$/u.test(sqlstate) ? Number(sqlstate.slice(2)) : 0;
    return status >= 200 && status <= dialect.highestStatus ? status : 500;
  }
  return STATUS_BY_CLASS.get(sqlstate.slice(0, 2)) ?? 400;
}

const LIMITS_OF_VALUES = ['number of array dimensions', 'word is too long', 'string is too long for tsvector'];

/** Handles the few SQLSTATEs that cover cases with different statuses. */
function statusByMessage(sqlstate: string, message: string, isAnonymous: boolean): number | undefined {
  switch (sqlstate) {
    case '21000':
      return message.endsWith('requires a WHERE clause') || message === ROW_CHANGED_TWICE.message ? 400 : 500;
    case '22023':
      return message.startsWith('role') && message.endsWith('does not exist') ? 401 : 400;
    // Client values that exceed limits of PostgreSQL.
    case '54000':
      return LIMITS_OF_VALUES.some((limit) => message.startsWith(limit)) ? 400 : undefined;
    case 'XX000':
      return message === 'tsquery stack too small' ? 400 : undefined;
    case '42883':
      return message.startsWith('function xmlagg(') ? 406 : 404;
    case '42501':
      return isAnonymous ? 401 : 403;
    default:
      return undefined;
  }
}
