// In: the rows of a script's main and count statements. Out: what the response stage needs. Last stage of running a
// script; pure.
import { fail, ok, type Result } from '../contract/result.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { DbOutcome, MainStatement, ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { readLogEnd } from './position-statements.ts';
import type { ColumnValue } from './wire/read-message.ts';

export interface ScriptRows {
  readonly main: readonly (readonly ColumnValue[])[];
  /** Row of the planned count; `undefined` without one. */
  readonly plan: readonly ColumnValue[] | undefined;
  /** Row of the log's end; `undefined` where it was not asked for. */
  readonly position: readonly ColumnValue[] | undefined;
}

type Encoding = Extract<Delivery, { kind: 'value' }>['encoding'];

const MIN_COLUMNS = 5;
const MAX_COLUMNS = 7;

export function readScriptResult({ delivery }: MainStatement, rows: ScriptRows): Result<ScriptResult, ApiError> {
  if (delivery.kind === 'explain') {
    return ok({ kind: 'explain', lines: rows.main.map(([line]) => line ?? Buffer.alloc(0)) });
  }
  if (delivery.kind === 'singleRow') {
    return ok({ kind: 'outcome', outcome: bareOutcome(rows.main[0]?.[0] ?? EMPTY_ARRAY, rows.main.length) });
  }
  const [row] = rows.main;
  if (row === undefined || rows.main.length > 1) {
    return undecodable(`expected one row, got ${rows.main.length}`);
  }
  if (row.length < MIN_COLUMNS || row.length > MAX_COLUMNS) {
    return undecodable(`expected ${MIN_COLUMNS} to ${MAX_COLUMNS} columns, got ${row.length}`);
  }
  const plannedTotal = rows.plan === undefined ? undefined : readPlanRows(rows.plan[0]);
  if (rows.plan !== undefined && plannedTotal === undefined) return undecodable('expected a plan with its row count');
  const outcome = readOutcome(row, delivery.kind === 'value' ? delivery.encoding : 'text', plannedTotal);
  if (outcome === undefined) return undecodable('expected whole numbers as counts');
  const position = rows.position && readLogEnd(rows.position);
  return ok({ kind: 'outcome', outcome: position === undefined ? outcome : { ...outcome, position } });
}

const EMPTY_ARRAY = Buffer.from('[]');

/** Rows of which nothing else is known. */
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

/** `undefined`: a count that is no whole number. */
function readOutcome(
  row: readonly ColumnValue[],
  encoding: Encoding,
  plannedTotal: number | undefined,
): DbOutcome | undefined {
  const last = row.length - 1;
  const [pageRows, total, headers, status] = row;
  const [body, inserted, location] = [row[last], last > 4 ? row[4] : undefined, last > 5 ? row[5] : undefined];
  const counts = [pageRows, total, inserted].map((column) => readCount(column, encoding));
  const [pageCount, totalCount, insertedCount] = counts;
  if (pageCount === undefined || counts.some(Number.isNaN)) return undefined;
  return {
    body: body ?? undefined,
    pageRows: pageCount,
    total: totalCount,
    plannedTotal,
    settingHeaders: readText(headers),
    settingStatus: readText(status),
    inserted: insertedCount,
    location: readText(location),
  };
}

function readText(column: ColumnValue | undefined): string | undefined {
  return column?.toString('utf8');
}

/** `undefined` for null or no such column, NaN for anything but a whole number. */
function readCount(column: ColumnValue | undefined, encoding: Encoding): number | undefined {
  if (column === null || column === undefined) return undefined;
  const count = encoding === 'text' ? Number(column.toString('latin1') || NaN) : readBinaryInteger(column);
  return Number.isSafeInteger(count) ? count : NaN;
}

function readBinaryInteger(column: Buffer): number {
  if (column.length === 8) return Number(column.readBigInt64BE());
  return column.length === 4 ? column.readInt32BE() : NaN;
}

/** https://www.postgresql.org/docs/current/sql-explain.html: an array of one object with the key `Plan`. */
export function readPlanRows(column: ColumnValue | undefined): number | undefined {
  try {
    const plans: unknown = JSON.parse(column?.toString('utf8') ?? '');
    const rows = readProperty(readProperty(readProperty(plans, '0'), 'Plan'), 'Plan Rows');
    return typeof rows === 'number' ? rows : undefined;
  } catch {
    return undefined;
  }
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function undecodable(details: string): { readonly ok: false; readonly error: ApiError } {
  return fail({ kind: 'undecodableResult', details });
}
