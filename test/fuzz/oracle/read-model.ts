// The model of a read: what a request selects, level by level, before it is rendered as a URL or computed.

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

/** How rows of one relation lead to rows of another. */
export interface Link {
  /** The target as written in `select`. */
  readonly target: string;
  readonly relation: string;
  readonly isToOne: boolean;
  /** Columns that must be equal: of the row, and of the rows it leads to. */
  readonly columns: readonly [own: string, foreign: string];
  /** The junction between the two, with the columns that reference each of them. */
  readonly junction?: { readonly relation: string; readonly own: string; readonly foreign: string };
}

export interface Level {
  readonly relation: string;
  readonly columns: readonly { readonly key: string; readonly column: string }[];
  readonly aggregates: readonly Aggregate[];
  readonly children: readonly Child[];
  readonly conditions: readonly Condition[];
  /** Ends with the primary key, so that the order is unique; empty with aggregates. */
  readonly order: readonly OrderTerm[];
  readonly limit: number | undefined;
  readonly offset: number;
}

export interface Aggregate {
  readonly key: string;
  readonly function: 'count()' | 'count' | 'sum' | 'min' | 'max';
  readonly column: string;
}

export interface Child {
  /** The name that filters and orders use. */
  readonly name: string;
  readonly key: string;
  readonly link: Link;
  readonly isInner: boolean;
  readonly shape: 'nested' | 'spread' | 'hidden';
  readonly level: Level;
}

export type Condition =
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly operator: 'eq' | 'neq' | 'gt' | 'lte' | 'isdistinct' | 'in' | 'is';
      /** Several for `in`, a single null for `is`. */
      readonly values: readonly Value[];
      readonly isNegated: boolean;
    }
  | { readonly kind: 'presence'; readonly child: Child; readonly isPresent: boolean }
  | Group;

export interface Group {
  readonly kind: 'group';
  readonly operator: 'and' | 'or';
  readonly members: readonly Condition[];
  readonly isNegated: boolean;
}

export interface OrderTerm {
  readonly column: string;
  /** The to-one child whose output key is `column`, if any. */
  readonly child: Child | undefined;
  readonly direction: 'asc' | 'desc' | undefined;
  readonly nulls: 'nullsfirst' | 'nullslast' | undefined;
}

/** Returns whether the child appears in the parent's rows (`reading.md` §12.8). */
export function isShown({ shape, level }: Child): boolean {
  return shape !== 'hidden' && showsAnything(level);
}

export function showsAnything({ columns, aggregates, children }: Level): boolean {
  return columns.length + aggregates.length > 0 || children.some(isShown);
}

export function hasAggregate({ aggregates, children }: Level): boolean {
  return aggregates.length > 0 || children.some(({ level }) => hasAggregate(level));
}

export const KEYS: Readonly<Record<string, readonly string[]>> = {
  harbours: ['id'],
  boats: ['id'],
  sailors: ['id'],
  postings: ['boat_id', 'sailor_id'],
  permits: ['boat_id'],
  voyages: ['id'],
  crates: ['id'],
};

/** A column of each table that accepts any text. */
export const TEXTS: Readonly<Record<string, string>> = {
  harbours: 'name',
  boats: 'label',
  sailors: 'name',
  postings: 'duty',
  permits: 'code',
  crates: 'name',
};

const one = (target: string, relation: string, columns: Link['columns']): Link => ({
  target,
  relation,
  isToOne: true,
  columns,
});
const many = (target: string, relation: string, columns: Link['columns']): Link => ({
  target,
  relation,
  isToOne: false,
  columns,
});

/** The relationships of the reading fixture. */
export const LINKS: Readonly<Record<string, readonly Link[]>> = {
  harbours: [
    many('boats', 'boats', ['id', 'harbour_id']),
    many('voyages!voyages_from_fkey', 'voyages', ['id', 'from_id']),
    many('voyages!to_id', 'voyages', ['id', 'to_id']),
    {
      ...many('visitors', 'boats', ['id', 'id']),
      junction: { relation: 'voyages', own: 'to_id', foreign: 'boat_id' },
    },
  ],
  boats: [
    one('harbours', 'harbours', ['harbour_id', 'id']),
    one('harbour_id', 'harbours', ['harbour_id', 'id']),
    one('permits', 'permits', ['id', 'boat_id']),
    many('postings', 'postings', ['id', 'boat_id']),
    many('voyages', 'voyages', ['id', 'boat_id']),
    {
      ...many('sailors', 'sailors', ['id', 'id']),
      junction: { relation: 'postings', own: 'boat_id', foreign: 'sailor_id' },
    },
  ],
  sailors: [
    many('postings', 'postings', ['id', 'sailor_id']),
    {
      ...many('boats', 'boats', ['id', 'id']),
      junction: { relation: 'postings', own: 'sailor_id', foreign: 'boat_id' },
    },
  ],
  postings: [one('boats', 'boats', ['boat_id', 'id']), one('sailors', 'sailors', ['sailor_id', 'id'])],
  permits: [one('boats', 'boats', ['boat_id', 'id'])],
  voyages: [
    one('boats', 'boats', ['boat_id', 'id']),
    one('from_id', 'harbours', ['from_id', 'id']),
    one('to_id', 'harbours', ['to_id', 'id']),
  ],
  crates: [one('parent_id', 'crates', ['parent_id', 'id']), many('crates', 'crates', ['id', 'parent_id'])],
};
