// `rowhouse doctor --fix`: writes the SQL of the findings as a migration, to be read before it is applied (`project.md` §6
// item 5).
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { renderComment } from '../diff/render-migration.ts';
import { findNextNumber, MIGRATIONS_FOLDER } from '../migrate/read-migrations.ts';
import { groupRoles, type LocatedFinding } from './lints/finding.ts';
import { explain } from './render-report.ts';

/** @returns the file, relative to the folder; undefined if no finding has a fix in SQL */
export async function writeFixes(findings: readonly LocatedFinding[], folder: string): Promise<string | undefined> {
  const fixes = renderFixes(findings);
  if (fixes === undefined) return undefined;
  const number = await findNextNumber(folder);
  const file = `${MIGRATIONS_FOLDER}/${number}_doctor.sql`;
  await mkdir(path.join(folder, MIGRATIONS_FOLDER), { recursive: true });
  await writeFile(path.join(folder, file), fixes, { flag: 'wx' });
  return file;
}

/** Each statement is written once, below its findings. A fix that is no SQL, such as a setting of a service, is left out. */
export function renderFixes(findings: readonly LocatedFinding[]): string | undefined {
  const heads = new Map<string, string[]>();
  for (const group of groupRoles(findings)) {
    const [{ level, lint, object, fix, caution, file, line }] = group;
    if (fix === null || !(fix.includes(';') || fix.startsWith('--'))) continue;
    const sql = caution === undefined ? fix : disable(fix, caution);
    const head = [
      `${level.toUpperCase()} ${lint}: ${object}`,
      explain(group),
      ...(line === null ? [] : [`Change it in ${file}:${line} too.`]),
    ].map(renderComment);
    heads.set(sql, [...(heads.get(sql) ?? []), ...head]);
  }
  if (heads.size === 0) return undefined;
  return [...heads].map(([sql, head]) => `${head.join('\n')}\n${sql}\n`).join('\n');
}

/** Turns statements into comments. */
function disable(sql: string, caution: string): string {
  const lines = sql.split('\n').map((line) => (line.startsWith('--') ? line : `-- ${line}`));
  return [renderComment(`Not part of this migration: ${caution}`), ...lines].join('\n');
}
