// The rows of a body by level: one for the rows of the request, and one for each relationship key within a level.
import type { Relation, Relationship } from '../../../catalog/schema-cache.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { NestedRows, RowPlace } from './nested-rows.ts';

/** `before`: the parent refers to the row. `after`: the row refers to the parent. */
export type Placement = 'before' | 'after' | 'junction';

export interface NestedLevel {
  readonly relation: Relation;
  /** Keys from the top level to this one. */
  readonly path: readonly string[];
  /** Undefined at the top level. */
  readonly link: LevelLink | undefined;
  /** Undefined if the pointer begins at the root of the body. */
  readonly above: NestedLevel | undefined;
  /** RFC 6901, from the row above to its related rows: `/items`. */
  readonly pointer: string;
  /** Whether the rows are elements of arrays. */
  readonly isList: boolean;
  readonly rows: NestedRows;
  /** In the order in which their keys first appear. */
  readonly children: Map<string, ChildLevel>;
  /** The relationships that keys have named so far. */
  readonly known: Map<string, LinkedRelation>;
}

export interface ChildLevel extends NestedLevel {
  readonly link: LevelLink;
}

/** Another relation, and how its rows are written with those of a level. */
export interface LinkedRelation {
  readonly link: LevelLink;
  readonly relation: Relation;
}

export type LevelLink =
  | { readonly placement: 'before'; readonly isArray: boolean; readonly relationship: ForeignKey }
  | { readonly placement: 'after'; readonly isArray: boolean; readonly relationship: ForeignKey }
  | {
      readonly placement: 'junction';
      readonly isArray: true;
      readonly relationship: Extract<Relationship, { kind: 'manyToMany' }>;
      readonly junction: Relation;
    };

type ForeignKey = Extract<Relationship, { kind: 'manyToOne' | 'oneToMany' | 'oneToOne' }>;

/** Returns the place of a row as a pointer from the root of the body (RFC 6901). */
export function pointerTo({ above, pointer, isList }: NestedLevel, { parent, index }: RowPlace): string {
  const start = above === undefined ? '' : pointerOf(above, parent);
  return `${start}${pointer}${isList ? `/${index}` : ''}`;
}

export function pointerOf(level: NestedLevel, row: number): string {
  return pointerTo(level, level.rows.placeOf(row));
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Lists the columns of a level that take their values from the level above. */
export function inheritedColumns({ link }: Pick<NestedLevel, 'link'>): readonly string[] {
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

const MAX_COLUMNS = 20_000;

/**
 * Limits what a body makes the server remember besides its rows: each level, each different set of columns and each
 * statement takes some hundred bytes per column.
 */
export class ShapeBudget {
  #columns = 0;

  /** @returns the error if there are too many */
  add(columns: number): ApiError | undefined {
    this.#columns += 1 + columns;
    if (this.#columns <= MAX_COLUMNS) return undefined;
    const limit = `the different sets of columns of related rows have up to ${MAX_COLUMNS} columns in all`;
    return { kind: 'limitExceeded', limit, status: 400 };
  }
}
