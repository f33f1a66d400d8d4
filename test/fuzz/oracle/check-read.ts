// Compares the response to a read or an update with its model: row by row, value by value, total by total.
import type { Answer } from '../../support/http-client.ts';
import { answerRead, answerRows, canonicalAnswer, chooseRows, type Shown } from './answer-read.ts';
import { hasAggregate, type Level, type Row, type Tables } from './read-model.ts';

/** Checks the response to a read with `count=exact`. */
export function checkRead(level: Level, answer: Answer, tables: Tables): string | undefined {
  const { status, body, headers } = answer;
  const total = totalOf(level, tables);
  if (total !== undefined && level.offset > total)
    return status === 416 ? undefined : `416 expected: ${status} ${body}`;
  // With aggregates and a window, the total counts the grouped rows (`reading.md` §9.4).
  if (total === undefined && status === 416) return undefined;
  if (status !== 200 && status !== 206) return `${status} ${body}`;
  const range = headers['content-range'] ?? '';
  if (total !== undefined && !range.endsWith(`/${total}`)) return `${range} instead of ${total}`;
  return compareRows(level, answer, answerRead(level, { tables, isWindowed: true }));
}

/** Without a window the total is the number of rows; undefined if the count differs from the returned rows. */
function totalOf(level: Level, tables: Tables): number | undefined {
  const isWindowed = level.limit === undefined && level.offset === 0;
  if (!isWindowed && hasAggregate(level)) return undefined;
  return answerRead(level, { tables, isWindowed }).length;
}

export interface Update {
  /** Contains only conditions on the relation's own columns. */
  readonly level: Level;
  readonly values: Row;
}

/** Maps each changed row to its new version. */
export function applyUpdate({ level, values }: Update, tables: Tables): ReadonlyMap<Row, Row> {
  return new Map(chooseRows(level, tables).map((row) => [row, { ...row, ...values }]));
}

/**
 * Checks the response to an update with `return=representation, count=exact`: embeds see the old rows, and a write has
 * no limit (`writing.md` §7.4, §9.1). @param tables the tables before the update
 */
export function checkUpdate(update: Update, answer: Answer, tables: Tables): string | undefined {
  const { level } = update;
  const updated = [...applyUpdate(update, tables).values()];
  const rows = answerRows({ ...level, conditions: [] }, updated, { tables, isWindowed: false });
  if (answer.status !== 200) return `${answer.status} ${answer.body}`;
  const range = `${rows.length === 0 ? '*' : `0-${rows.length - 1}`}/${rows.length}`;
  if (answer.headers['content-range'] !== range) return `${answer.headers['content-range']} instead of ${range}`;
  return compareRows(level, answer, rows);
}

/** Selects every order column, because results of functions and writes can only be ordered by selected columns. */
export function showColumns(level: Level, tables: Tables): Level {
  const columns = Object.keys(tables[level.relation]?.[0] ?? {}).map((column) => ({ key: column, column }));
  return level.aggregates.length > 0 ? level : { ...level, columns };
}

/** Removes conditions that a write cannot have. */
export function keepOwnConditions(level: Level): Level {
  return { ...level, conditions: level.conditions.filter(({ kind }) => kind === 'column') };
}

export function compareRows(level: Level, { body }: Answer, rows: readonly Shown[]): string | undefined {
  const shown = JSON.parse(body) as readonly Shown[];
  // Keys and rows are usually in the expected order already; sorting them costs more than everything else.
  if (JSON.stringify(shown) === JSON.stringify(rows)) return undefined;
  const answer = canonicalAnswer(level, shown);
  const expected = canonicalAnswer(level, rows);
  return answer === expected ? undefined : `${answer}\n${expected}`;
}
