// Converts the rows of a script's main and count statements into the outcome that the response needs. Pure.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { readPlanRows } from '../../sql/explain.ts';
import type { ColumnValue } from '../wire/read-message.ts';

export interface OutcomeRows {
  readonly main: readonly (readonly ColumnValue[])[];
  /** Row of the planned count; `undefined` if there is none. */
  readonly plan: readonly ColumnValue[] | undefined;
}

export interface OutcomeForm {
  /** Encoding of every column of the main statement. */
  readonly encoding: Encoding;
  /** Whether the planner's row estimate was requested. */
  readonly hasPlan: boolean;
}

type Encoding = 'text' | 'binary';
type OutcomeResult = Extract<ScriptResult, { kind: 'outcome' }>;

const MIN_COLUMNS = 5;
const MAX_COLUMNS = 7;

/** Returns the outcome, or `undecodableResult` if rows or columns are not those of a main statement. */
export function readOutcomeRows({ main, plan }: OutcomeRows, form: OutcomeForm): Result<OutcomeResult, ApiError> {
  const [row] = main;
  if (row === undefined || main.length > 1) {
    return undecodable(`expected one row, got ${main.length}`);
  }
  if (row.length < MIN_COLUMNS || row.length > MAX_COLUMNS) {
    return undecodable(`expected ${MIN_COLUMNS} to ${MAX_COLUMNS} columns, got ${row.length}`);
  }
  const plannedTotal = plan === undefined ? undefined : readPlanRows(plan[0]?.toString('utf8') ?? '');
  if (form.hasPlan && plannedTotal === undefined) return undecodable('expected a plan with its row count');
  const outcome = readOutcome(row, form.encoding, plannedTotal);
  return outcome === undefined ? undecodable('expected whole numbers as counts') : ok({ kind: 'outcome', outcome });
}

/** Returns an outcome that contains only a body and a row count. */
export function bareOutcome(body: DbOutcome['body'], pageRows: number): DbOutcome {
  return {
    body,
    pageRows,
    total: undefined,
    plannedTotal: undefined,
    settingHeaders: undefined,
    settingStatus: undefined,
    inserted: undefined,
    location: undefined,
  };
}

/** Returns `undefined` if a count is not an integer. */
function readOutcome(
  row: readonly ColumnValue[],
  encoding: Encoding,
  plannedTotal: number | undefined,
): DbOutcome | undefined {
  const last = row.length - 1;
  const pageRows = readCount(row[0], encoding);
  const total = readCount(row[1], encoding);
  const inserted = last > 4 ? readCount(row[4], encoding) : undefined;
  if (pageRows === undefined || Number.isNaN(pageRows) || Number.isNaN(total) || Number.isNaN(inserted))
    return undefined;
  return {
    body: row[last] ?? undefined,
    pageRows,
    total,
    plannedTotal,
    settingHeaders: row[2]?.toString('utf8'),
    settingStatus: row[3]?.toString('utf8'),
    inserted,
    location: last > 5 ? row[5]?.toString('utf8') : undefined,
  };
}

/** Returns `undefined` for null or a missing column, NaN for anything but an integer. */
function readCount(column: ColumnValue | undefined, encoding: Encoding): number | undefined {
  if (column === null || column === undefined) return undefined;
  const count = encoding === 'text' ? Number(column.toString('latin1') || NaN) : readBinaryInteger(column);
  return Number.isSafeInteger(count) ? count : NaN;
}

function readBinaryInteger(column: Buffer): number {
  if (column.length === 8) return Number(column.readBigInt64BE());
  return column.length === 4 ? column.readInt32BE() : NaN;
}

function undecodable(details: string): { readonly ok: false; readonly error: ApiError } {
  return fail({ kind: 'undecodableResult', details });
}
