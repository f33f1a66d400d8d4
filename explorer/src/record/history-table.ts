// Recognizes a table with the history of another: `houses_history`, `house_audit`, `houses_log` with a foreign key to
// `houses`.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';

const SUFFIX = /_(?:history|audit|audit_log|log|changes|versions|revisions)$/u;

/** @param name of the table whose history it may be */
export function isHistoryOf(name: string, { name: target }: DescribedRelation): boolean {
  const subject = target.replace(SUFFIX, '');
  return subject !== target && (subject === name || (name.startsWith(subject) && name.length - subject.length <= 2));
}

/** Returns the column with the time of a change; undefined unless the name is that of a history. */
export function historyTime(target: DescribedRelation): DescribedColumn | undefined {
  if (!SUFFIX.test(target.name)) return undefined;
  const readable = target.columns.filter(({ may, type }) => may.select && !type.isArray);
  return ['timestamp', 'date']
    .map((category) => readable.find(({ type }) => type.category === category))
    .find((column) => column !== undefined);
}
