// The table expression that contains the rows of a write, and how it is read.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { MutateAction } from '../../plan/actions/action-plan.ts';
import type { Source } from '../levels/from.ts';

export const SOURCE = '"_source"';

export interface WrittenRows {
  /** Table expressions, the last of which is `SOURCE`. */
  readonly tables: readonly string[];
  /** Expression of the number of inserted rows. */
  readonly inserted: string;
  /** Expression of `DbOutcome.location`. */
  readonly report: string;
  /** Expression of `DbOutcome.total`. */
  readonly total: string | undefined;
  /** How the rows are read. */
  readonly source: Pick<Source, 'from' | 'columns' | 'order' | 'extra'> & Partial<Pick<Source, 'conditions'>>;
}

/** Returns a quoted name that no column of the relation has. */
export function freeName(relation: Relation, base: string): string {
  return quoteIdentifier(unusedName(relation, base));
}

/** Returns a name that no column of the relation has. */
export function unusedName({ columns }: Relation, base: string): string {
  let name = base;
  while (columns.has(name)) name = `_${name}`;
  return name;
}

/** Returns the names of the columns that a write returns, if it also returns columns that are not to be shown. */
export function listReturned({ returning, relation }: MutateAction): readonly string[] {
  if (returning === undefined) return [];
  return returning.kind === 'row' ? [...relation.columns.keys()] : returning.names;
}

/** Returns what `*` means if a write also returns columns that are not to be shown. */
export function starOf({ returning, relation }: MutateAction): readonly string[] | undefined {
  return returning?.kind === 'row' ? [...relation.columns.keys()] : undefined;
}
