// The rows of a body by level: one for the rows of the request, and one for each relationship key within a level.
import type { Relation, Relationship } from '../../../catalog/schema-cache.ts';

export interface NestedRow {
  /** RFC 6901, from the root of the body. */
  readonly pointer: string;
  /** Index in the level above. */
  readonly parent: number;
  /** The text of each member that is no relationship, by name: `"name":value`. */
  readonly members: ReadonlyMap<string, string>;
}

/** `before`: the parent refers to the row. `after`: the row refers to the parent. */
export type Placement = 'before' | 'after' | 'junction';

export interface NestedLevel {
  readonly relation: Relation;
  /** Keys from the top level to this one. */
  readonly path: readonly string[];
  /** Undefined at the top level. */
  readonly link: LevelLink | undefined;
  readonly rows: NestedRow[];
  /** In the order in which their keys first appear. */
  readonly children: Map<string, ChildLevel>;
}

export interface ChildLevel extends NestedLevel {
  readonly link: LevelLink;
}

export type LevelLink =
  | { readonly placement: 'before'; readonly isArray: boolean; readonly relationship: ForeignKey }
  | { readonly placement: 'after'; readonly isArray: boolean; readonly relationship: ForeignKey }
  | {
      readonly placement: 'junction';
      readonly isArray: true;
      readonly relationship: ManyToMany;
      readonly junction: Relation;
    };

type ForeignKey = Extract<Relationship, { kind: 'manyToOne' | 'oneToMany' | 'oneToOne' }>;
type ManyToMany = Extract<Relationship, { kind: 'manyToMany' }>;

/** Lists the columns of a level that take their values from the level above. */
export function inheritedColumns({ link }: NestedLevel): readonly string[] {
  return link?.placement === 'after' ? link.relationship.columns.map(([, own]) => own) : [];
}

/** Lists the columns of a level that rows of other levels refer to. */
export function referencedColumns({ link, children }: NestedLevel): readonly string[] {
  const names = new Set(columnsForParent(link));
  for (const child of children.values()) for (const name of columnsForChild(child.link)) names.add(name);
  return [...names];
}

function columnsForParent(link: LevelLink | undefined): readonly string[] {
  if (link === undefined || link.placement === 'after') return [];
  return link.placement === 'before'
    ? link.relationship.columns.map(([, own]) => own)
    : link.relationship.targetColumns.map(([, own]) => own);
}

function columnsForChild(link: LevelLink): readonly string[] {
  if (link.placement === 'before') return [];
  return link.placement === 'after'
    ? link.relationship.columns.map(([own]) => own)
    : link.relationship.originColumns.map(([own]) => own);
}
