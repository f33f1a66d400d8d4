// Describes a relation and what the role may do with it.
import { findRelationships, type Column, type Relation, type Relationship } from '../../catalog/schema-cache.ts';
import { isRelationshipVisible, isRoutineVisible } from '../../catalog/visible-names.ts';
import type { DescribedColumn, DescribedRelation, DescribedRelationship } from '../../contract/schema-document.ts';
import { isToOne } from '../../plan/levels/resolve-relationship.ts';
import { commandsOf } from '../document/commands.ts';
import { findAddress, nameRelationships } from './addresses.ts';
import { describeType } from './describe-type.ts';
import type { DocumentInput } from './document-input.ts';
import type { RelationPrivileges } from './role-details.ts';

const KINDS: Readonly<Record<Relation['kind'], DescribedRelation['kind']>> = {
  table: 'table',
  partitionedTable: 'table',
  view: 'view',
  materializedView: 'materializedView',
  foreignTable: 'foreignTable',
};

export function* listRelations(input: DocumentInput): Generator<DescribedRelation> {
  for (const relation of input.cache.relations.get(input.schema)?.values() ?? []) {
    const privileges = input.details.relations.get(relation.name.name);
    if (privileges !== undefined) yield describeRelation(relation, privileges, input);
  }
}

function describeRelation(relation: Relation, privileges: RelationPrivileges, input: DocumentInput): DescribedRelation {
  const columns = [...relation.columns.values()].map((column) =>
    describeColumn(column, { relation, privileges }, input),
  );
  return {
    name: relation.name.name,
    kind: KINDS[relation.kind],
    comment: relation.comment,
    may: commandsOf(privileges.relation, relation),
    key: relation.primaryKey,
    columns: [...columns, ...listComputedColumns(relation, columns, input)],
    relationships: listRelationships(relation, columns, input),
  };
}

interface Owner {
  readonly relation: Relation;
  readonly privileges: RelationPrivileges;
}

function describeColumn(column: Column, { relation, privileges }: Owner, { details }: DocumentInput): DescribedColumn {
  const letters = privileges.columns === undefined ? privileges.relation : (privileges.columns.get(column.name) ?? '');
  const { select, insert, update } = commandsOf(letters, relation);
  const { isGenerated } = column;
  return {
    name: column.name,
    type: describeType(column.nominalType, details.types, column.type),
    comment: column.comment,
    isNullable: column.isNullable,
    maxLength: column.maxLength,
    default: column.defaultExpression,
    isGenerated,
    isComputed: false,
    may: { select, insert: insert && !isGenerated, update: update && !isGenerated },
  };
}

/** The function receives a whole row, so it requires SELECT on every column. */
function listComputedColumns(
  relation: Relation,
  columns: readonly DescribedColumn[],
  { cache, details }: DocumentInput,
): readonly DescribedColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  for (const one of findRelationships(cache, relation.name)) if (one.kind === 'computed') taken.add(one.routine.name);
  const select = columns.every(({ may }) => may.select);
  return (details.rowFunctions.get(relation.name.name) ?? []).flatMap(({ name, type, comment, isSet }) => {
    if (isSet || taken.has(name)) return [];
    taken.add(name);
    return [
      {
        name,
        type: describeType(type, details.types),
        comment,
        isNullable: true,
        isGenerated: false,
        isComputed: true,
        may: { select, insert: false, update: false },
      },
    ];
  });
}

/** Lists relationships within the schema; requests cannot embed across schemas. */
function listRelationships(
  relation: Relation,
  columns: readonly DescribedColumn[],
  { cache, schema, visible }: DocumentInput,
): readonly DescribedRelationship[] {
  const reached = findRelationships(cache, relation.name).filter(
    (one) => (one.kind === 'computed' ? one.routine : one.target).schema === schema,
  );
  const named = nameRelationships(reached);
  const isRowRead = columns.every(({ may }) => may.select);
  return reached.flatMap((one) => {
    const isUsable =
      one.kind === 'computed' ? isRoutineVisible(visible, one) && isRowRead : isRelationshipVisible(visible, one);
    const address = isUsable ? findAddress(one, named) : undefined;
    return address === undefined ? [] : [describeRelationship(one, address, schema)];
  });
}

function describeRelationship(relationship: Relationship, address: string, schema: string): DescribedRelationship {
  const { target, kind } = relationship;
  const isDirect = kind !== 'computed' && kind !== 'manyToMany';
  return {
    address,
    target: target.name,
    schema: target.schema === schema ? undefined : target.schema,
    isToOne: isToOne(relationship),
    kind,
    columns: isDirect ? relationship.columns : [],
    junction: kind === 'manyToMany' ? relationship.junction.name : undefined,
    constraint: isDirect ? relationship.constraint : kind === 'computed' ? relationship.routine.name : undefined,
  };
}
