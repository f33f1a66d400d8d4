// A lint: a query of the catalogs, and templates of the message and the fix for each of its rows. `docs/check.md` and
// `docs/security.md` explain the lints to people.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { describeObject, type Finding, type Level } from './finding.ts';

export interface Lint {
  readonly name: string;
  readonly level: Level;
  /** What a probe tries, to prove the finding with a row of somebody else. */
  readonly probe?: 'reads' | 'writes';
  /**
   * Follows `CATALOG`; further table expressions begin with a comma. Three columns have a meaning: `object`, each part
   * quoted if necessary; `role`, if the finding concerns one; `policy`, whose statement the finding is about.
   */
  readonly query: string;
  /** Decides what SQL cannot. Returns the row, with further columns for the templates, or undefined if it is no finding. */
  readonly decide?: (row: Row) => Row | undefined;
  /** One or more sentences, in which `{column}` is replaced with the value of the row. */
  readonly message: string;
  /** A template like `message`: SQL. If there are several, the column `variant` has the name of one. */
  readonly fix?: string | Readonly<Record<string, string>>;
  /** @see Finding.caution */
  readonly caution?: string;
}

/** Columns by name. Every column is a text or a Boolean, unless a template does not use it. */
export type Row = Readonly<Record<string, unknown>>;

/** @returns the findings of one lint, in the order of its rows */
export function readLint(lint: Lint, rows: readonly Row[]): readonly Finding[] {
  const { name, level, decide = (row: Row) => row, message, fix, caution } = lint;
  return rows.flatMap((found): readonly Finding[] => {
    const row = decide(found);
    if (row === undefined) return [];
    const [object, role, policy] = [textOf(row, 'object'), textOf(row, 'role'), textOf(row, 'policy')];
    const template = typeof fix === 'object' ? fix[textOf(row, 'variant')] : fix;
    const finding = describeObject({
      lint: name,
      level,
      object,
      message: fill(message, row),
      fix: template === undefined ? null : fill(template, row),
      ...(caution === undefined ? {} : { caution }),
    });
    const place = policy === '' ? finding.place : ({ kind: 'policy', table: object, name: policy } as const);
    return [{ ...finding, place, role: role === '' ? null : role }];
  });
}

/** A name with a line break cannot end a comment. */
function fill(template: string, row: Row): string {
  const fillLine = (line: string): string =>
    line.replaceAll(/\{(\w+)\}/gu, (_, column: string) =>
      line.startsWith('--') ? escapeLine(textOf(row, column)) : textOf(row, column),
    );
  return template.split('\n').map(fillLine).join('\n');
}

/** @returns the text of a column; empty if it is null */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : '';
}
