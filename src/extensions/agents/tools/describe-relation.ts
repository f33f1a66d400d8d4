// `describe_relation`: the columns, keys and relationships of one table or view, as far as the role may see them.
import type { DescribedColumn, DescribedRelation } from '../../../contract/schema-document.ts';
import type { JsonObject } from '../../../util/json-object.ts';
import {
  commentOf,
  describeRelation,
  isColumnVisible,
  listVerbs,
  NAME_PROPERTY,
  schemaProperty,
  shortenText,
} from '../requests/describe.ts';
import { buildFailure, buildResult, type Tool } from '../calls/tool.ts';

export const DESCRIBE_RELATION: Tool = {
  name: 'describe_relation',
  title: 'Describe a relation',
  description:
    'Describes the columns of a table or view, its primary key, and the related tables that `select` of read_rows can embed.',
  requiresWrites: false,
  findEffect: () => 'none',
  buildInputSchema: (config) => ({
    type: 'object',
    properties: {
      relation: NAME_PROPERTY,
      ...schemaProperty(config),
      offset: { type: 'integer', minimum: 0, description: 'Number of columns to skip' },
    },
    required: ['relation'],
    additionalProperties: false,
  }),
  isUseful: (documents) => documents.some(({ relations }) => relations.length > 0),
  async run(given: { readonly relation: string; readonly schema?: string; readonly offset?: number }, context) {
    const found = await describeRelation(given, context);
    if (!found.ok) return buildFailure(found.error);
    const { relation } = found.value;
    const { offset = 0 } = given;
    const { mcpWrites } = context.config;
    const columns = relation.columns.filter(isColumnVisible).map((column) => describeColumn(column, mcpWrites));
    return buildResult({
      data: describeHead(relation, mcpWrites),
      list: {
        name: 'columns',
        items: columns.slice(offset),
        offset,
        hasMore: false,
        canContinue: true,
      },
    });
  },
};

/** A longer list would leave no room for columns. */
const MAX_RELATIONSHIPS = 200;

function describeHead(
  { name, kind, comment, may, key, columns, relationships }: DescribedRelation,
  mayWrite: boolean,
): JsonObject {
  const visible = new Set(columns.filter(isColumnVisible).map((column) => column.name));
  return {
    name,
    kind,
    ...commentOf(comment),
    may: listVerbs(may, mayWrite),
    primaryKey: key.filter((column) => visible.has(column)),
    relationships: relationships
      .slice(0, MAX_RELATIONSHIPS)
      .map(({ address, target, isToOne }) => ({ select: `${address}(*)`, target, rows: isToOne ? 'one' : 'many' })),
  };
}

function describeColumn(
  { name, type, comment, isNullable, default: initial, ...column }: DescribedColumn,
  mayWrite: boolean,
): JsonObject {
  return {
    name,
    type: type.name,
    isNullable,
    may: listVerbs(column.may, mayWrite),
    ...(type.labels === undefined ? {} : { values: type.labels }),
    ...(initial === undefined ? {} : { default: shortenText(initial) }),
    ...(column.isGenerated ? { isGenerated: true } : {}),
    ...(column.isComputed ? { isComputed: true } : {}),
    ...commentOf(comment),
  };
}
