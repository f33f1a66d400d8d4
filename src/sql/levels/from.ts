// Renders the FROM item of a level, and the conditions that join the rows of an embed to its parent
// (`reading.md` §12.1).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { FieldPlan } from '../../plan/levels/read-plan.ts';
import type { ColumnPair, Relation, Relationship } from '../../catalog/schema-cache.ts';
import { renderFunctionRows } from './function-rows.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

/** The row that an embed belongs to. */
export interface ParentRow {
  readonly ref: string;
  readonly depth: number;
  /** All its columns, as a record. */
  readonly row: string;
  readonly isFenced: boolean;
  field(field: FieldPlan): string;
}

/** A row whose type is known by the name of its relation, or as an expression. */
export type TypedRow = Pick<Relation, 'computedColumns'> & (Pick<Relation, 'name'> | { readonly row: string });

export interface Source {
  /** Undefined at the top level. */
  readonly parent?: ParentRow;
  /** Quoted name that qualifies the level's columns. */
  readonly ref: string;
  readonly from: string;
  readonly conditions: readonly string[];
  /** Number of levels above this one. */
  readonly depth: number;
  /** Whether the rows are those of the relation itself. */
  readonly isWhole?: true;
  /** Set if `from` has lost the relation's row type, without which PostgreSQL finds no computed columns. */
  readonly relation?: TypedRow | undefined;
  /** The columns that `*` means, if `from` has others too. */
  readonly columns?: readonly string[] | undefined;
  /** Renders a further condition from the SQL of the values of the order. */
  readonly seek?: ((orderValues: readonly string[]) => string) | undefined;
  /** Expression that orders the rows where the plan does not. */
  readonly order?: string | undefined;
  /** Values to show behind all others, by key. */
  readonly extra?: ReadonlyMap<string, string> | undefined;
  /** Values to show before all others, by which a grouped level also groups. */
  readonly lead?: readonly string[] | undefined;
  /** Renders a value to show behind them from the `ORDER BY` of the level. */
  readonly place?: ((order: string) => string) | undefined;
}

/** The rows of an embed before they are joined to their parents. */
export interface UnjoinedSource {
  readonly source: Source;
  /** What must be equal: values of the embed and of its parent. */
  readonly pairs: readonly (readonly [own: string, parent: string])[];
}

/**
 * PostgreSQL's errors show the alias: `boats_1` (`reading.md` §17.3). A computed embed uses the function's name, not
 * its table's.
 */
export function renderEmbedSource(relationship: Relationship, parentRow: ParentRow, builder: StatementBuilder): Source {
  const { source, pairs } = renderUnjoinedSource(relationship, parentRow, builder);
  return pairs.length === 0 ? source : { ...source, conditions: pairs.map(([own, parent]) => `${own} = ${parent}`) };
}

export function renderUnjoinedSource(
  relationship: Relationship,
  parentRow: ParentRow,
  builder: StatementBuilder,
): UnjoinedSource {
  const { ref: parent } = parentRow;
  const depth = parentRow.depth + 1;
  const { name } = relationship.kind === 'computed' ? relationship.routine : relationship.target;
  const ref = builder.embedAlias(name, depth);
  const place = { ref, depth, parent: parentRow };
  const target = quoteQualified(relationship.target);
  switch (relationship.kind) {
    case 'computed': {
      // The cast selects the overload for this row type.
      const call = `${quoteQualified(relationship.routine)}(${parentRow.row}::${quoteQualified(relationship.origin)})`;
      const { isFenced } = parentRow;
      const from = `${renderFunctionRows({ call, rowType: relationship.rowType, isFenced })} AS ${ref}`;
      const relation = { name: relationship.target, computedColumns: relationship.computedColumns };
      return { source: { ...place, from, conditions: [], relation }, pairs: [] };
    }
    case 'manyToMany': {
      const junction = builder.alias();
      const equal = pairUp(junction, ref, relationship.targetColumns).map(([own, other]) => `${own} = ${other}`);
      const joined = `${quoteQualified(relationship.junction)} AS ${junction} ON ${equal.join(' AND ')}`;
      return {
        source: { ...place, from: `${target} AS ${ref} INNER JOIN ${joined}`, conditions: [], isWhole: true },
        pairs: pairUp(parent, junction, relationship.originColumns),
      };
    }
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return {
        source: { ...place, from: `${target} AS ${ref}`, conditions: [], isWhole: true },
        pairs: pairUp(parent, ref, relationship.columns),
      };
  }
}

function pairUp(left: string, right: string, pairs: readonly ColumnPair[]): UnjoinedSource['pairs'] {
  return pairs.map(([a, b]) => [`${right}.${quoteIdentifier(b)}`, `${left}.${quoteIdentifier(a)}`]);
}
