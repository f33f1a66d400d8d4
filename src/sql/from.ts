// Where the rows of a level come from, and how an embed's rows join its parent's (`reading.md` §12.1).
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { ColumnPair, Relation, Relationship } from '../catalog/schema-cache.ts';
import { quoteQualified } from './identifier.ts';
import type { StatementBuilder } from './statement-builder.ts';

export interface Source {
  /** Quoted name by which the level's columns are qualified. */
  readonly ref: string;
  readonly from: string;
  readonly conditions: readonly string[];
  /** Given where `from` has lost the relation's type, without which PostgreSQL finds no computed columns. */
  readonly relation?: Pick<Relation, 'name' | 'columns'> | undefined;
}

export function renderEmbedSource(relationship: Relationship, parent: string, builder: StatementBuilder): Source {
  const ref = builder.alias();
  const target = quoteQualified(relationship.target);
  switch (relationship.kind) {
    case 'computed': {
      // The cast tells overloads on different row types apart.
      const row = `(${parent}.*)::${quoteQualified(relationship.origin)}`;
      return { ref, from: `${quoteQualified(relationship.routine)}(${row}) AS ${ref}`, conditions: [] };
    }
    case 'manyToMany': {
      const junction = builder.alias();
      const join = equalities(junction, ref, relationship.targetColumns).join(' AND ');
      return {
        ref,
        from: `${target} AS ${ref} INNER JOIN ${quoteQualified(relationship.junction)} AS ${junction} ON ${join}`,
        conditions: equalities(parent, junction, relationship.originColumns),
      };
    }
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return { ref, from: `${target} AS ${ref}`, conditions: equalities(parent, ref, relationship.columns) };
  }
}

function equalities(left: string, right: string, pairs: readonly ColumnPair[]): readonly string[] {
  return pairs.map(([a, b]) => `${right}.${quoteIdentifier(b)} = ${left}.${quoteIdentifier(a)}`);
}
