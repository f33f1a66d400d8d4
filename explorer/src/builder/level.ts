// The top level of a request or one of its embeds, as the sections of the builder display and edit it.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedRelationship,
  DescribedType,
} from '../../../src/contract/schema-document.ts';
import type { EmbedItem, Field, SelectItem } from '../../../src/request/query/query-params.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { isEmbedOf } from '../url-state/edit-embeds.ts';
import { type EmbedPath, isEmbed, nameOfEmbed, selectAt } from '../url-state/levels.ts';
import type { QueryModel, RequestPath } from '../url-state/query-model.ts';
import { typeAtPath } from './value-input.ts';

export type HistoryStep = 'push' | 'replace';

export interface Level {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly model: QueryModel;
  readonly path: EmbedPath;
  readonly source: RowSource;
  readonly change: (model: QueryModel, step?: HistoryStep) => void;
}

/** The source of the rows of a level. */
export interface RowSource {
  /** Undefined if the described schema does not contain it. */
  readonly relation: DescribedRelation | undefined;
  readonly columns: readonly DescribedColumn[];
}

const UNKNOWN: RowSource = { relation: undefined, columns: [] };

export function sourceOfTarget(schema: SchemaIndex, { kind, name }: RequestPath): RowSource {
  if (kind === 'relation') return sourceOfRelation(schema.relations.get(name));
  const result = schema.functions.get(name)?.[0]?.result;
  if (result?.relation !== undefined) return sourceOfRelation(schema.relations.get(result.relation));
  return { relation: undefined, columns: (result?.columns ?? []).map(readableColumn) };
}

export function sourceOfEmbed(schema: SchemaIndex, parent: RowSource, embed: EmbedItem): RowSource {
  const relationship = relationshipOf(parent, embed);
  if (relationship === undefined || relationship.schema !== undefined) return UNKNOWN;
  return sourceOfRelation(schema.relations.get(relationship.target));
}

/** Finds a relationship by its address, or by the column or constraint of its foreign key. */
export function relationshipOf({ relation }: RowSource, embed: EmbedItem): DescribedRelationship | undefined {
  const known = relation?.relationships ?? [];
  const isNamed = (one: DescribedRelationship, name: string): boolean =>
    one.constraint === name || one.junction === name || (one.columns.length === 1 && one.columns[0]?.[0] === name);
  return (
    known.find(({ address }) => isEmbedOf(embed, address)) ??
    known.find((one) => one.target === embed.target && (embed.hint === undefined || isNamed(one, embed.hint))) ??
    known.find((one) => one.isToOne && isNamed(one, embed.target))
  );
}

export function typeOfField({ columns }: RowSource, field: Field): DescribedType {
  const column = columns.find(({ name }) => name === field.column);
  return typeAtPath(column, field.path.at(-1)?.arrow);
}

export function itemsOf({ model, path }: Level): readonly SelectItem[] {
  return selectAt(model, path);
}

export function embedsOf(level: Level): readonly EmbedItem[] {
  return itemsOf(level).filter(isEmbed);
}

/** Returns the level of an embed. */
export function levelOfEmbed(level: Level, embed: EmbedItem): Level {
  const source = sourceOfEmbed(level.schema, level.source, embed);
  return { ...level, path: [...level.path, nameOfEmbed(embed)], source };
}

function sourceOfRelation(relation: DescribedRelation | undefined): RowSource {
  if (relation === undefined) return UNKNOWN;
  return { relation, columns: relation.columns.filter(({ may }) => may.select) };
}

function readableColumn({ name, type }: Pick<DescribedColumn, 'name' | 'type'>): DescribedColumn {
  const may = { select: true, insert: false, update: false };
  return { name, type, isNullable: true, isGenerated: false, isComputed: false, may };
}
