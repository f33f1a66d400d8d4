// Where the rows of a level come from, and how an embed's rows join its parent's (`reading.md` §12.1).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ColumnPair, Relation, Relationship } from '../../catalog/schema-cache.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

export interface Source {
  /** Quoted name by which the level's columns are qualified. */
  readonly ref: string;
  readonly from: string;
  readonly conditions: readonly string[];
  /** How many levels lie above this one. */
  readonly depth: number;
  /** Given where `from` has lost the relation's type, without which PostgreSQL finds no computed columns. */
  readonly relation?: Pick<Relation, 'name' | 'columns'> | undefined;
}

/** Errors of PostgreSQL show the alias: `boats_1` (`reading.md` §17.3). Who may call a function need not know its table. */
export function renderEmbedSource(
  relationship: Relationship,
  { ref: parent, depth: above }: Pick<Source, 'ref' | 'depth'>,
  builder: StatementBuilder,
): Source {
  const depth = above + 1;
  const { name } = relationship.kind === 'computed' ? relationship.routine : relationship.target;
  const ref = builder.embedAlias(name, depth);
  const target = quoteQualified(relationship.target);
  switch (relationship.kind) {
    case 'computed': {
      // The cast tells overloads on different row types apart.
      const row = `(${parent}.*)::${quoteQualified(relationship.origin)}`;
      return { ref, from: `${quoteQualified(relationship.routine)}(${row}) AS ${ref}`, conditions: [], depth };
    }
    case 'manyToMany': {
      const junction = builder.alias();
      const join = equalities(junction, ref, relationship.targetColumns).join(' AND ');
      return {
        ref,
        from: `${target} AS ${ref} INNER JOIN ${quoteQualified(relationship.junction)} AS ${junction} ON ${join}`,
        conditions: equalities(parent, junction, relationship.originColumns),
        depth,
      };
    }
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return { ref, from: `${target} AS ${ref}`, conditions: equalities(parent, ref, relationship.columns), depth };
  }
}

function equalities(left: string, right: string, pairs: readonly ColumnPair[]): readonly string[] {
  return pairs.map(([a, b]) => `${right}.${quoteIdentifier(b)} = ${left}.${quoteIdentifier(a)}`);
}
