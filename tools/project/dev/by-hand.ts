// Objects that somebody has made by hand: neither the files nor the last applied state contain them (`project.md` §2
// item 3).
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { describeObject } from '../compare/object-id.ts';
import type { SchemaDelta, SchemaState } from '../compare/schema-delta.ts';
import { fileNameOf } from './report.ts';

export interface KnownObjects {
  readonly delta: SchemaDelta;
  /** Keys of the last applied state. */
  readonly objects: ReadonlySet<string>;
  /** Keys of what has been shown; those of the lines are added. */
  readonly shown: Set<string>;
  /** Whose names are left out. */
  readonly schemas: ReadonlySet<string>;
}

/** Returns a line for each that has not been shown. */
export function showByHand(
  { delta, objects, shown, schemas }: KnownObjects,
  { files, current }: Readonly<Record<'files' | 'current', SchemaState>>,
): readonly string[] {
  return current.facts.facts().flatMap(({ id, parent }) => {
    const key = delta.encode(id);
    if (files.facts.has(id) || objects.has(key) || shown.has(key)) return [];
    shown.add(key);
    const isPart = parent !== undefined && parent.kind !== 'schema' && !files.facts.has(parent);
    if (isPart || 'target' in id || !('name' in id) || id.kind === 'role') return [];
    const name = describeObject(id, schemas);
    return [
      `${escapeLine(name)} is in the database but not in the files, and stays. It could go to ${fileNameOf(id)}.`,
    ];
  });
}
