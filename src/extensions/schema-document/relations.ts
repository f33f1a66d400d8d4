// Describes a relation and what the role may do with it.
import { appendTo } from '../../catalog/maps.ts';
import { findRelationships, type Column, type Relation, type Relationship } from '../../catalog/schema-cache.ts';
import { isRelationshipVisible, isRoutineVisible } from '../../catalog/visible-names.ts';
import type { DescribedColumn, DescribedRelation, DescribedRelationship } from '../../contract/schema-document.ts';
import { isToOne, matchesEmbed } from '../../plan/levels/resolve-relationship.ts';
import { commandsOf } from '../../openapi/document/commands.ts';
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
  const columns = [...relation.columns.values()].map((column) => describeColumn(column, relation, privileges, input));
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

function describeColumn(
  column: Column,
  relation: Relation,
  privileges: RelationPrivileges,
  { details }: DocumentInput,
): DescribedColumn {
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
  // Finds the shortest text by which `select` addresses a relationship unambiguously: its target, with a hint if
  // necessary.
  const named = new Map<string, Relationship[]>();
  for (const relationship of reached) {
    const names = new Set(listAddresses(relationship).map(({ target }) => target));
    for (const name of names) appendTo(named, name, relationship);
  }
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

interface Address {
  readonly target: string;
  readonly hint: string | undefined;
}

/** Relationships of one relation, by every name that `select` accepts. Indexed because there may be thousands. */
type NamedRelationships = ReadonlyMap<string, readonly Relationship[]>;

/** @returns undefined if no text addresses only this relationship */
function findAddress(relationship: Relationship, named: NamedRelationships): string | undefined {
  const found = listAddresses(relationship).find(({ target, hint }) => {
    // In `select`, `count` is the aggregate.
    if (target === 'count') return false;
    const matching = (named.get(target) ?? []).filter((one) => matchesEmbed(one, target, hint));
    return matching.length === 1 && matching[0] === relationship;
  });
  return found && printAddress(found);
}

/** Lists the possible addresses, shortest first. */
function listAddresses(relationship: Relationship): readonly Address[] {
  if (relationship.kind === 'computed') return [{ target: relationship.routine.name, hint: undefined }];
  const target = relationship.target.name;
  const plain = { target, hint: undefined };
  if (relationship.kind === 'manyToMany') return [plain, { target, hint: relationship.junction.name }];
  const { constraint, columns } = relationship;
  const [[own, other] = []] = columns.length === 1 ? columns : [];
  const hints = [constraint, own, other].flatMap((hint) => (hint === undefined ? [] : [{ target, hint }]));
  const names = [own, constraint].flatMap((name) => (name === undefined ? [] : [{ target: name, hint: undefined }]));
  return [plain, ...hints, ...names];
}

function printAddress({ target, hint }: Address): string {
  return hint === undefined ? quoteName(target) : `${quoteName(target)}!${quoteHint(hint)}`;
}

/** Unquoted, `inner` and `left` are join types. */
function quoteHint(hint: string): string {
  return hint === 'inner' || hint === 'left' ? `"${hint}"` : quoteName(hint);
}

function quoteName(name: string): string {
  return /^[\p{L}\d_]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
