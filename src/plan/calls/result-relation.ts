// Finds the relation whose rows a function returns, so that its result can be read like a relation
// (`writing.md` §14.6).
import {
  findRelation,
  type Column,
  type Relation,
  type Routine,
  type SchemaCache,
} from '../../catalog/schema-cache.ts';

/** Returns the relation that the function declares as its row type, if it is exposed. */
export function findRowType(cache: SchemaCache, { result }: Routine): Relation | undefined {
  const rowType = result.kind === 'composite' ? result.rowType : undefined;
  return rowType && findRelation(cache, rowType);
}

/** Returns a stand-in relation for functions that do not return rows of a relation. */
export function resultRelation(cache: SchemaCache, routine: Routine): Relation {
  const { result } = routine;
  const known = findRowType(cache, routine);
  if (known !== undefined) return known;
  const columns = result.kind === 'composite' ? result.outColumns : [];
  return {
    name: routine.name,
    kind: 'table',
    comment: undefined,
    isPlain: false,
    plainWrites: 'none',
    isSmall: false,
    hasVirtualColumns: false,
    hasInheritors: false,
    isInsertable: false,
    isUpdatable: false,
    isDeletable: false,
    primaryKey: [],
    uniqueIndexes: [],
    columns: new Map(columns.map(([name, type]) => [name, outColumn(name, type)])),
  };
}

function outColumn(name: string, type: string): Column {
  return {
    name,
    comment: undefined,
    isNullable: true,
    type,
    nominalType: type,
    maxLength: undefined,
    defaultExpression: undefined,
    enumLabels: [],
    isGenerated: false,
  };
}
