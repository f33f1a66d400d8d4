// A read or an update as data × the answer to it → what is wrong with the answer: row by row, value by value, total by total.
import type { Answer } from '../../support/http-client.ts';
import { answerRead, answerRows, canonicalAnswer, chooseRows, type Shown } from './answer-read.ts';
import { hasAggregate, type Level, type Row, type Tables } from './read-model.ts';

/** Of a read with `count=exact`. */
export function checkRead(level: Level, answer: Answer, tables: Tables): string | undefined {
  const { status, body, headers } = answer;
  const total = totalOf(level, tables);
  if (total !== undefined && level.offset > total)
    return status === 416 ? undefined : `416 expected: ${status} ${body}`;
  // The total of a window beside aggregates is that of the rows which are grouped (`reading.md` §9.4).
  if (total === undefined && status === 416) return undefined;
  if (status !== 200 && status !== 206) return `${status} ${body}`;
  const range = headers['content-range'] ?? '';
  if (total !== undefined && !range.endsWith(`/${total}`)) return `${range} instead of ${total}`;
  return compareRows(level, answer, answerRead(level, { tables, isWindowed: true }));
}

/** Without a window the rows of the page are the total; undefined where a count does not see what is shown. */
function totalOf(level: Level, tables: Tables): number | undefined {
  const isWindowed = level.limit === undefined && level.offset === 0;
  if (!isWindowed && hasAggregate(level)) return undefined;
  return answerRead(level, { tables, isWindowed }).length;
}

export interface Update {
  /** Conditions on the relation's own columns only. */
  readonly level: Level;
  readonly values: Row;
}

/** What is stored in place of what, by the row before. */
export function applyUpdate({ level, values }: Update, tables: Tables): ReadonlyMap<Row, Row> {
  return new Map(chooseRows(level, tables).map((row) => [row, { ...row, ...values }]));
}

/**
 * Of an update with `return=representation, count=exact`: embeds see what was before, and nothing limits a write
 * (`writing.md` §7.4, §9.1).
 * @param tables as they were before
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

/** What comes of a function or a write can be ordered by what is selected of it. */
export function showColumns(level: Level, tables: Tables): Level {
  const columns = Object.keys(tables[level.relation]?.[0] ?? {}).map((column) => ({ key: column, column }));
  return level.aggregates.length > 0 ? level : { ...level, columns };
}

/** Without the conditions that a write cannot have. */
export function keepOwnConditions(level: Level): Level {
  return { ...level, conditions: level.conditions.filter(({ kind }) => kind === 'column') };
}

export function compareRows(level: Level, { body }: Answer, rows: readonly Shown[]): string | undefined {
  const shown = JSON.parse(body) as readonly Shown[];
  // Mostly keys and rows come in the very order that is expected; putting them in order costs more than all the rest.
  if (JSON.stringify(shown) === JSON.stringify(rows)) return undefined;
  const answer = canonicalAnswer(level, shown);
  const expected = canonicalAnswer(level, rows);
  return answer === expected ? undefined : `${answer}\n${expected}`;
}
