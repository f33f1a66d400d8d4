// Decodes rows of `VISIBLE_NAMES_SQL` into the names that one role may use, so that errors reveal no others to it.
import type { QualifiedName } from '../contract/identifiers.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';
import { textsAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import type { BySchema, ColumnPair, Relationship, Routine } from './schema-cache.ts';

type Columns = 'all' | ReadonlySet<string>;

export interface VisibleNames {
  /** Relations on which the role has a privilege, with the columns that it may select. */
  readonly relations: BySchema<Columns>;
  /** Oids of the functions that the role may execute. */
  readonly routines: ReadonlySet<string>;
}

/** Undefined: everything is visible. */
export type Visible = VisibleNames | undefined;

export const NO_NAMES: VisibleNames = { relations: new Map(), routines: new Set() };

export function* decodeVisibleNames(lines: readonly Uint8Array[]): Slices<VisibleNames> {
  const relations = new Map<string, Map<string, Columns>>();
  const routines = new Set<string>();
  const decoder = new TextDecoder();
  yield* visitInSlices(lines, (line) => {
    const [kind, first = '', name = '', ...columns] = textsAt([decoder.decode(line)], 0);
    if (kind === 'routine') routines.add(first);
    else {
      const ofSchema = getOrInsert(relations, first, () => new Map<string, Columns>());
      ofSchema.set(name, kind === 'relation' ? 'all' : new Set(columns));
    }
  });
  return { relations, routines };
}

export function isRelationVisible(visible: Visible, { schema, name }: QualifiedName): boolean {
  return visible === undefined || (visible.relations.get(schema)?.has(name) ?? false);
}

export function isRoutineVisible(visible: Visible, { oid }: Pick<Routine, 'oid'>): boolean {
  return visible === undefined || visible.routines.has(oid);
}

/** Whether the role may select all columns of the join, or execute the function that computes the relationship. */
export function isRelationshipVisible(visible: Visible, relationship: Relationship): boolean {
  if (visible === undefined) return true;
  const { origin, target } = relationship;
  const isJoin = (left: QualifiedName, pairs: readonly ColumnPair[], right: QualifiedName): boolean =>
    pairs.every(([own, other]) => isColumnVisible(visible, left, own) && isColumnVisible(visible, right, other));
  switch (relationship.kind) {
    case 'computed':
      return isRoutineVisible(visible, relationship) && isRelationVisible(visible, target);
    case 'manyToMany': {
      const { junction, originColumns, targetColumns } = relationship;
      return isJoin(origin, originColumns, junction) && isJoin(junction, targetColumns, target);
    }
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return isJoin(origin, relationship.columns, target);
  }
}

export function isColumnVisible(visible: Visible, relation: QualifiedName, column: string): boolean {
  if (visible === undefined) return true;
  const columns = visibleColumns(visible, relation);
  return columns === 'all' || (columns?.has(column) ?? false);
}

/** Returns the columns that the role may select; undefined if it has no privilege on the relation. */
export function visibleColumns({ relations }: VisibleNames, { schema, name }: QualifiedName): Columns | undefined {
  return relations.get(schema)?.get(name);
}
