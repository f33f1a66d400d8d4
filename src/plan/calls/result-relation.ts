// The relation whose rows a function returns, so that its result is read like any other (`writing.md` §14.6).
import {
  findRelation,
  type Column,
  type Relation,
  type Routine,
  type SchemaCache,
} from '../../catalog/schema-cache.ts';

/** The relation that the function declares its rows to be of, if it is exposed. */
export function findRowType(cache: SchemaCache, { result }: Routine): Relation | undefined {
  const rowType = result.kind === 'composite' ? result.rowType : undefined;
  return rowType && findRelation(cache, rowType);
}

/** Stands in for functions that return no relation's rows as well. */
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
