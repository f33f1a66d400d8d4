// Where names of columns and relationships lead, by the schema.
import type {
  DescribedColumn,
  DescribedFunction,
  DescribedRelation,
  DescribedRelationship,
  DescribedType,
} from '../../../src/contract/schema-document.ts';
import { parseTarget } from '../../../src/request/target.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { EmbedChain, EmbedHead } from './embed-outline.ts';

export interface LevelColumn {
  readonly name: string;
  readonly type: DescribedType;
  readonly comment?: string | undefined;
  readonly isComputed?: boolean | undefined;
}

/** What the rows of a level have. */
export interface Level {
  readonly columns: readonly LevelColumn[];
  readonly relationships: readonly DescribedRelationship[];
}

/** What the path of a URL names, by all its overloads. */
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

/** The level that embeds lead to; undefined where the schema knows no way. */
export function findLevel(path: PathMeaning, chain: EmbedChain, index: SchemaIndex): Level | undefined {
  let level = levelOfPath(path);
  for (const head of chain) {
    const relationship = level && findRelationship(level, head);
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

/** By its address, or by what else the grammar takes for it: the constraint or the column that points there. */
export function findRelationship(level: Level, { target, hint }: EmbedHead): DescribedRelationship | undefined {
  const ofName = level.relationships.filter((one) => namesOf(one).includes(target));
  return hint === undefined ? ofName[0] : ofName.find((one) => hintsOf(one).includes(hint));
}

function namesOf({ target, constraint, columns, address }: DescribedRelationship): readonly (string | undefined)[] {
  return [target, address, constraint, columns.length === 1 ? columns[0]?.[0] : undefined];
}

/** What can stand behind `!` to choose a relationship. */
export function hintsOf({ constraint, junction, columns, target }: DescribedRelationship): readonly string[] {
  const column = columns.length === 1 ? columns[0] : undefined;
  return [constraint, junction, column?.[0], column?.[1]]
    .filter((one) => one !== undefined)
    .filter((one) => one !== target);
}
