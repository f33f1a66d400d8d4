// Plans how a read is watched (`beyond.md` §3.1b): which relations it depends on, and whether its rows can be read again
// one by one, by their key.
import type { Column, Relation, Relationship, Routine, SchemaCache } from '../../../catalog/schema-cache.ts';
import { findRelation } from '../../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../../contract/identifiers.ts';
import { isPlainEquality } from '../../../plan/levels/filters-by-key.ts';
import type { RowRange } from '../../../request/range.ts';
import type { Condition, FilterCondition, ReadPlan, SelectPlan } from '../../../plan/levels/read-plan.ts';
import { extraColumns, filteredColumns } from '../../../plan/levels/row-source.ts';
import type { CallAction, ReadAction } from '../../../plan/actions/action-plan.ts';

export type LiveKey = readonly LiveKeyColumn[];

/** Name of the type of a column, or `enum` for all enums: decides how its values are printed. */
type TypeKind = string;

export interface LiveKeyColumn {
  readonly name: string;
  /** As PostgreSQL prints it. */
  readonly type: string;
  readonly kind: TypeKind;
  /** Whether its text is a JSON number. */
  readonly isNumber: boolean;
}

/** A filter that a row passes only if the column has exactly this text. */
export interface LiveEquality {
  readonly column: string;
  readonly kind: TypeKind;
  readonly value: string;
}

export interface KeyedRead {
  readonly key: LiveKey;
  readonly equality: LiveEquality | undefined;
}

export interface LivePlan {
  readonly range: RowRange;
  /** Undefined if all rows are read again after each change. */
  readonly keyed: KeyedRead | undefined;
  readonly relations: readonly QualifiedName[];
  /** Oids of functions. */
  readonly routines: readonly string[];
  /** Whether it also uses computed columns, whose functions are not known by oid. */
  readonly usesUnknownFunctions: boolean;
}

/** @param range the rows that the request asks for, without the limit of the server */
export function planLive(action: ReadAction | CallAction, range: RowRange, cache: SchemaCache): LivePlan {
  const { read } = action;
  const levels = listLevels(read);
  const relationships = levels.flatMap(listRelationships);
  const routine: readonly Routine[] = action.kind === 'call' ? [action.routine] : [];
  return {
    range,
    keyed: action.kind === 'read' && isFull(range) ? planKeyed(action.read, cache) : undefined,
    relations: [
      ...(action.kind === 'read' ? [read.relation] : []),
      ...relationships.flatMap((one) => (one.kind === 'manyToMany' ? [one.target, one.junction] : [one.target])),
    ],
    routines: [
      ...routine.map(({ oid }) => oid),
      ...relationships.flatMap((one) => (one.kind === 'computed' ? [one.oid] : [])),
    ],
    usesUnknownFunctions: levels.some((level) => !usesStoredColumns(level, cache)),
  };
}

function listLevels(read: ReadPlan): readonly ReadPlan[] {
  return [read, ...read.embeds.flatMap((embed) => listLevels(embed.read))];
}

function listRelationships(read: ReadPlan): readonly Relationship[] {
  return [
    ...read.embeds.map(({ relationship }) => relationship),
    ...[...read.where, ...read.having].flatMap(relationshipsIn),
  ];
}

function relationshipsIn(condition: Condition): readonly Relationship[] {
  if (condition.kind === 'group') return condition.members.flatMap(relationshipsIn);
  return condition.kind === 'related' ? [condition.relationship, ...relationshipsIn(condition.member)] : [];
}

/** Defaults to false for relations that the cache does not know, such as results of functions. */
function usesStoredColumns(read: ReadPlan, cache: SchemaCache): boolean {
  const relation = findRelation(cache, read.relation);
  return (
    relation !== undefined &&
    [...read.where, ...read.having].every((condition) => relationshipsIn(condition).length === 0) &&
    columnsOf(read).every((column) => relation.columns.has(column))
  );
}

function columnsOf(read: ReadPlan): readonly string[] {
  return [
    ...read.select.flatMap((item) => (item.kind === 'column' ? [item.field.column] : [])),
    ...read.order.flatMap((term) => (term.kind === 'field' ? [term.field.column] : [])),
    ...filteredColumns(read.where),
    ...extraColumns(read),
  ];
}

/** Rows of a page depend on each other. */
function isFull({ offset, limit }: RowRange): boolean {
  return offset === 0 && limit === undefined;
}

function planKeyed(read: ReadPlan, cache: SchemaCache): KeyedRead | undefined {
  const relation = findRelation(cache, read.relation);
  if (relation === undefined || !isTable(relation) || relation.primaryKey.length === 0) return undefined;
  const isSimple = read.embeds.length === 0 && !read.isGrouped && read.distinct === undefined;
  if (!isSimple || !usesStoredColumns(read, cache)) return undefined;
  const key = relation.primaryKey.flatMap((name) => planKeyColumn(relation.columns.get(name), read.select));
  if (key.length < relation.primaryKey.length) return undefined;
  return { key, equality: findEquality(read.where, relation) };
}

function isTable({ kind, hasInheritors }: Relation): boolean {
  return (kind === 'table' || kind === 'partitionedTable') && !hasInheritors;
}

/** Types whose values have one text each, whatever the settings of a session. */
const NUMBERS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'oid']);
/** Usual spellings, and what the log contains for them. */
const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['true', 't'],
  ['t', 't'],
  ['false', 'f'],
  ['f', 'f'],
]);
const TEXTS: ReadonlySet<string> = new Set(['text', 'character varying', 'uuid', 'name']);

function planKeyColumn(column: Column | undefined, select: readonly SelectPlan[]): LiveKey {
  if (column === undefined) return [];
  const { name, type, enumLabels } = column;
  // Two columns of one name could not be told apart.
  const [item, another] = select.filter((each) => each.kind === 'all' || each.key === name);
  if (item === undefined || another !== undefined || !isStored(item, name)) return [];
  const isNumber = NUMBERS.has(type);
  return isNumber || TEXTS.has(type) || enumLabels.length > 0 ? [{ name, type, kind: kindOf(column), isNumber }] : [];
}

function kindOf({ type, enumLabels }: Column): TypeKind {
  return enumLabels.length > 0 ? 'enum' : type;
}

/** Whether the item shows the stored value of the column. */
function isStored(item: SelectPlan, name: string): boolean {
  if (item.kind !== 'column') return item.kind === 'all';
  const { field, cast, formatter, aggregate } = item;
  const isPlain = cast === undefined && formatter === undefined && aggregate === undefined;
  return isPlain && field.column === name && field.path.length === 0 && field.score === undefined;
}

function findEquality(where: readonly Condition[], relation: Relation): LiveEquality | undefined {
  for (const condition of where) {
    const equality = condition.kind === 'filter' ? readEquality(condition, relation) : undefined;
    if (equality !== undefined) return equality;
  }
  return undefined;
}

function readEquality(filter: FilterCondition, relation: Relation): LiveEquality | undefined {
  const { field, operation, parser } = filter;
  const column = relation.columns.get(field.column);
  if (column === undefined || parser !== undefined || !isPlainEquality(filter)) return undefined;
  const value = operation.kind === 'compare' ? findCanonical(operation.value, column) : undefined;
  return value === undefined ? undefined : { column: column.name, kind: kindOf(column), value };
}

/** Returns the text that PostgreSQL prints for the value; undefined if it is not known. */
function findCanonical(value: string, { type, enumLabels }: Column): string | undefined {
  const keptIf = (isKept: boolean): string | undefined => (isKept ? value : undefined);
  if (enumLabels.length > 0) return keptIf(enumLabels.includes(value));
  // PostgreSQL accepts negative ones, and prints others for them.
  if (type === 'oid') return keptIf(/^(?:0|[1-9]\d{0,9})$/u.test(value));
  if (NUMBERS.has(type)) return keptIf(/^(?:0|-?[1-9]\d{0,18})$/u.test(value));
  if (type === 'uuid') return keptIf(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(value));
  if (type === 'boolean') return BOOLEANS.get(value);
  return keptIf(type === 'text' || type === 'character varying');
}
