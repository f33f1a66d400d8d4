// Describes columns by their comment and their keys (`operating.md` §12.7).
import { type Column, findRelationships, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';

interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly isView: boolean;
}

/** Returns a function that describes each column of the relation; undefined if there is nothing to describe. */
export function describeColumns(relation: Relation, cache: SchemaCache): (column: Column) => string | undefined {
  const primaryKey = new Set(relation.primaryKey);
  const foreignKeys = indexForeignKeys(relation, cache);
  return ({ name, comment }) => {
    const notes: string[] = [];
    if (primaryKey.has(name)) notes.push('This is a Primary Key.<pk/>');
    const key = foreignKeys.get(name);
    if (key !== undefined) {
      const { table, column } = key;
      notes.push(`This is a Foreign Key to \`${table}.${column}\`.<fk table='${table}' column='${column}'/>`);
    }
    if (notes.length === 0) return comment;
    const note = ['Note:', ...notes].join('\n');
    return comment === undefined ? note : `${comment}\n\n${note}`;
  };
}

/**
 * Indexes single-column keys into the same schema. Of several on one column, keys to tables take precedence over views.
 */
function indexForeignKeys({ name }: Relation, cache: SchemaCache): ReadonlyMap<string, ForeignKey> {
  const keys = new Map<string, ForeignKey>();
  for (const relationship of findRelationships(cache, name)) {
    const { kind, target, targetIsView } = relationship;
    if (kind !== 'manyToOne' && kind !== 'oneToOne') continue;
    const [pair] = relationship.columns;
    if (relationship.isParent || target.schema !== name.schema || relationship.columns.length > 1 || pair === undefined)
      continue;
    const [own, column] = pair;
    const known = keys.get(own);
    if (known === undefined || (known.isView && !targetIsView)) {
      keys.set(own, { table: target.name, column, isView: targetIsView });
    }
  }
  return keys;
}
