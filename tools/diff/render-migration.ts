// The text of the files of a migration.
import { NO_TRANSACTION } from '../migrate/read-migrations.ts';
import { renderLocks } from './lock-meter.ts';
import type { MarkedStatement, MigrationFile } from './migration.ts';

/** Names are qualified, and functions may use what comes after them. */
export const FILE_SETTINGS: readonly string[] = [
  `set local search_path = pg_catalog`,
  `set local check_function_bodies = off`,
];

export function renderFile({ isBare, statements }: MigrationFile): string {
  const head = isBare ? NO_TRANSACTION : FILE_SETTINGS.map((setting) => `${setting};`).join('\n');
  return `${[head, ...statements.map(renderStatement)].join('\n\n')}\n`;
}

function renderStatement({ sql, losses, locks, tasks, omitted }: MarkedStatement): string {
  const marks = [
    ...losses.map((loss) => renderComment(`LOSES DATA: ${loss}`)),
    ...omitted.map((option) => renderComment(`SET BY HAND, because the value may be a secret: ${option}`)),
    ...tasks.map(renderComment),
    ...renderLocks(locks).map((lock) => renderComment(`Locks: ${lock}`)),
  ];
  return [...marks, sql.startsWith('--') ? sql : `${sql};`].join('\n');
}

/** A name may contain line breaks, behind which SQL would run. */
export function renderComment(text: string): string {
  return `-- ${text.replaceAll(/[\n\r]+/gu, ' ')}`;
}
