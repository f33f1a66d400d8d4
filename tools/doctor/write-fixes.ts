// `rowhouse doctor --fix`: writes the SQL of the findings as a migration, to be read before it is applied (`project.md` §6
// item 5).
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { indexSources, locate } from '../check/source-index.ts';
import { findNextNumber, MIGRATIONS_FOLDER } from '../migrate/read-migrations.ts';
import { readProject } from '../project/folder/read-project.ts';
import type { Finding, Severity } from './checks/check.ts';

/** Returns the line of the files that creates an object; undefined if none is known to. */
export type FindPlace = (object: string) => string | undefined;

/**
 * @param folder of the project. With `schema/`, the migration names the lines to change there
 * @returns the file, relative to the folder; undefined if no finding has a fix in SQL
 */
export async function writeFixes(findings: readonly Finding[], folder: string): Promise<string | undefined> {
  const fixes = renderFixes(findings, await createFindPlace(folder));
  if (fixes === undefined) return undefined;
  const number = await findNextNumber(folder);
  const file = `${MIGRATIONS_FOLDER}/${number}_doctor.sql`;
  await mkdir(path.join(folder, MIGRATIONS_FOLDER), { recursive: true });
  await writeFile(path.join(folder, file), fixes, { flag: 'wx' });
  return file;
}

async function createFindPlace(folder: string): Promise<FindPlace> {
  const project = await readProject(folder);
  if (!project.ok) return () => undefined;
  const index = indexSources(project.value);
  return (object) => {
    // Roles and options have no schema.
    const position = object.includes('.') ? locate({ kind: 'object', object }, index) : undefined;
    return position && `${position.file}:${position.line}`;
  };
}

const LABELS: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', info: 'NOTE' };

/** Each statement is written once, below its findings. A fix that is no SQL, such as a setting of a service, is left out. */
export function renderFixes(findings: readonly Finding[], findPlace: FindPlace): string | undefined {
  const heads = new Map<string, string[]>();
  for (const { severity, code, object, why, mend: sql, caution } of findings) {
    if (!sql.includes(';') && !sql.startsWith('--')) continue;
    const mend = caution === undefined ? sql : disable(sql, caution);
    const place = findPlace(object);
    const head = [
      `${LABELS[severity]} ${code}: ${object}`,
      why,
      ...(place === undefined ? [] : [`Change it in ${place} too.`]),
    ].map(comment);
    heads.set(mend, [...(heads.get(mend) ?? []), ...head]);
  }
  if (heads.size === 0) return undefined;
  return [...heads].map(([mend, head]) => `${head.join('\n')}\n${mend}\n`).join('\n');
}

/** Turns statements into comments. */
function disable(sql: string, caution: string): string {
  const lines = sql.split('\n').map((line) => (line.startsWith('--') ? line : `-- ${line}`));
  return [comment(`Not part of this migration: ${caution}`), ...lines].join('\n');
}

/** Names may contain line breaks, behind which SQL would run. */
function comment(text: string): string {
  return `-- ${text.replaceAll(/[\n\r]+/gu, ' ')}`;
}
