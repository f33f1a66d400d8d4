// A column that is NOT NULL without a default, for a table that has rows: the commonest edit that cannot be applied.
import { splitFile } from './statement.ts';
import type { SourceFile } from '../folder/read-project.ts';

export interface ColumnName {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
}

/** Says what is wrong and what to write. @param place of the column, `schema/items.sql:3` */
export function describeMissingValue({ schema, table, name }: ColumnName, place: string | undefined): string {
  const where = place === undefined ? '' : ` (${place})`;
  return `rows of ${schema}.${table} need a value for ${name}${where}, which is NOT NULL. Give it a default; or make it nullable, fill it, and then make it NOT NULL.`;
}

const NAME = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`;
const TABLE = new RegExp(
  String.raw`^(?:create\s+(?:unlogged\s+)?table|alter\s+table)\s+(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?(?:(?<schema>${NAME})\s*\.\s*)?(?<table>${NAME})`,
  'iu',
);

/** Finds the line that states a column: the first one of a statement about its table that begins with its name. */
export function findColumnPlace(files: readonly SourceFile[], { schema, table, name }: ColumnName): string | undefined {
  for (const file of files) {
    for (const { part } of splitFile(file)) {
      const named = part.kind === 'statement' ? TABLE.exec(part.text)?.groups : undefined;
      if (part.kind !== 'statement' || named === undefined || unquote(named['table'] ?? '') !== table) continue;
      if (named['schema'] !== undefined && unquote(named['schema']) !== schema) continue;
      const line = part.text.split('\n').findIndex((text) => statesColumn(text, name));
      if (line !== -1) return `${file.path}:${part.line + line}`;
    }
  }
  return undefined;
}

const FIRST_NAMES = new RegExp(String.raw`(?:^|[(,]|\bcolumn\b(?:\s+if\s+not\s+exists)?)\s*(?<name>${NAME})\s`, 'giu');

function statesColumn(line: string, name: string): boolean {
  return [...line.matchAll(FIRST_NAMES)].some(({ groups }) => unquote(groups?.['name'] ?? '') === name);
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();
}
