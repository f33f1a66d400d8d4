// Resolves names of columns and relationships with the schema.
import type {
  DescribedColumn,
  DescribedFunction,
  DescribedRelation,
  DescribedRelationship,
  DescribedType,
} from '../../../src/contract/schema-document.ts';
import { parseTarget } from '../../../src/request/target.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Relationship, SpotLevel } from './spot.ts';

export interface LevelColumn {
  readonly name: string;
  readonly type: DescribedType;
  readonly comment?: string | undefined;
  readonly isComputed?: boolean | undefined;
}

/** The columns and relationships of a level. */
export interface Level {
  readonly columns: readonly LevelColumn[];
  readonly relationships: readonly DescribedRelationship[];
}

/** What the path of a URL refers to, including all overloads. */
export interface PathMeaning {
  readonly relation: DescribedRelation | undefined;
  readonly functions: readonly DescribedFunction[];
}

export function readPath(path: string, index: SchemaIndex): PathMeaning {
  const target = parseTarget(path);
  if (!target.ok || target.value.kind === 'root') return { relation: undefined, functions: [] };
  const { kind, name } = target.value;
  if (kind === 'relation') return { relation: index.relations.get(name), functions: [] };
  const functions = index.functions.get(name) ?? [];
  const relation = functions.map(({ result }) => result.relation).find((one) => one !== undefined);
  return { relation: relation === undefined ? undefined : index.relations.get(relation), functions };
}

/** Returns the level at the end of a chain of embeds; undefined if a relationship is unknown. */
export function findLevel(path: PathMeaning, chain: SpotLevel['chain'], index: SchemaIndex): Level | undefined {
  let level = levelOfPath(path);
  for (const step of chain) {
    const relationship = level && findRelationship(level, step);
    if (relationship === undefined || relationship.schema !== undefined) return undefined;
    const relation = index.relations.get(relationship.target);
    level = relation && levelOfRelation(relation);
  }
  return level;
}

function levelOfPath({ relation, functions }: PathMeaning): Level | undefined {
  if (relation !== undefined) return levelOfRelation(relation);
  const columns = functions.map(({ result }) => result.columns).find((one) => one !== undefined);
  return columns && { columns, relationships: [] };
}

function levelOfRelation({ columns, relationships }: DescribedRelation): Level {
  return { columns: columns.filter(isSelectable), relationships };
}

function isSelectable({ may }: DescribedColumn): boolean {
  return may.select;
}

/** Finds a relationship by its address, or by the constraint or column of its foreign key. */
export function findRelationship(level: Level, { target, hint }: Relationship): DescribedRelationship | undefined {
  const ofName = level.relationships.filter((one) => namesOf(one).includes(target));
  return hint === undefined ? ofName[0] : ofName.find((one) => hintsFor(one).includes(hint));
}

function namesOf({ target, constraint, columns, address }: DescribedRelationship): readonly (string | undefined)[] {
  return [target, address, constraint, columns.length === 1 ? columns[0]?.[0] : undefined];
}

/** Returns the hints that can follow `!` to select a relationship. */
export function hintsFor({ constraint, junction, columns, target }: DescribedRelationship): readonly string[] {
  const column = columns.length === 1 ? columns[0] : undefined;
  return [constraint, junction, column?.[0], column?.[1]]
    .filter((one) => one !== undefined)
    .filter((one) => one !== target);
}
