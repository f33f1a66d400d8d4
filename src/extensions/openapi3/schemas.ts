// Describes the schemas of relations: rows as responses contain them, and as clients send them in POST and PATCH.
import type { Column, Relation } from '../../catalog/schema-cache.ts';
import type { Member } from '../../openapi/document/json-document.ts';
import { describeColumns } from '../../openapi/document/notes.ts';
import { findFormatter, findReader } from '../../plan/levels/representations.ts';
import { componentName, type Reference, refTo } from './components.ts';
import type { DocumentContext } from './document-context.ts';
import { allowNull, describeType, type JsonSchema, type ValueSchema } from './types.ts';
import { listUsableRelations } from './usable-relations.ts';

/** Keys of rows in responses have no suffix. Encoded relation names contain no dot, so suffixes are unambiguous. */
export function rowSchema(relation: string): Reference {
  return refTo('schemas', componentName(relation));
}

export function payloadSchema(relation: string, use: 'insert' | 'update' | 'updates'): Reference {
  return refTo('schemas', `${componentName(relation)}.${use}`);
}

export function* listSchemas(context: DocumentContext): Generator<Member> {
  for (const relation of listUsableRelations(context.input)) {
    const key = componentName(relation.name.name);
    const describe = columnDescriber(relation, context);
    yield [key, describeRow(relation, describe)];
    if (relation.may.insert) yield [`${key}.insert`, describeInsert(relation, describe)];
    if (!relation.may.update) continue;
    const properties = listSettable(relation).map((column) => [column.name, describe(column, 'update')] as const);
    yield [
      `${key}.update`,
      { type: 'object', description: relation.comment, properties: Object.fromEntries(properties) },
    ];
    if (context.input.extensions.bulk) yield [`${key}.updates`, describeUpdates(relation)];
  }
}

type Use = 'row' | 'insert' | 'update';
type DescribeColumn = (column: Column, use: Use) => ValueSchema;

/** All columns are present unless `select` lists others. */
function describeRow({ columns, comment }: Relation, describe: DescribeColumn): ValueSchema {
  return {
    type: 'object',
    description: comment,
    required: columns.size === 0 ? undefined : [...columns.keys()],
    properties: Object.fromEntries([...columns].map(([name, column]) => [name, describe(column, 'row')])),
  };
}

function describeInsert(relation: Relation, describe: DescribeColumn): ValueSchema {
  const columns = listSettable(relation);
  const required = columns.filter(
    ({ isNullable, defaultExpression }) => !isNullable && defaultExpression === undefined,
  );
  return {
    type: 'object',
    description: relation.comment,
    required: required.length === 0 ? undefined : required.map(({ name }) => name),
    properties: Object.fromEntries(columns.map((column) => [column.name, describe(column, 'insert')])),
  };
}

/** Has a name of its own, because client generators call the body's argument after it. */
function describeUpdates({ name }: Relation): JsonSchema {
  const changes = payloadSchema(name.name, 'update');
  return { anyOf: [changes, { type: 'array', items: changes }] };
}

function listSettable({ columns }: Relation): readonly Column[] {
  return [...columns.values()].filter(({ isGenerated }) => !isGenerated);
}

/** A column with a conversion function may have any JSON value in that direction (`writing.md` §11). */
function columnDescriber(relation: Relation, { input, enums }: DocumentContext): DescribeColumn {
  const { cache } = input;
  const descriptionOf = describeColumns(relation, cache);
  return (column, use) => {
    const converter = use === 'row' ? findFormatter(cache, column) : findReader(cache, column);
    const labels = column.enumLabels;
    const known: ValueSchema =
      labels.length === 0 ? describeType(column.type, enums) : { type: 'string', enum: labels };
    const value = converter === undefined ? known : {};
    const description = descriptionOf(column);
    return {
      ...(column.isNullable ? allowNull(value) : value),
      description: use === 'insert' ? noteDefault(description, column) : description,
      maxLength: value.type === 'string' ? column.maxLength : undefined,
      readOnly: use === 'row' && column.isGenerated ? true : undefined,
    };
  };
}

/** No `default`: with it, client generators send the value or demand it, in place of leaving it to the database. */
function noteDefault(description: string | undefined, { defaultExpression }: Column): string | undefined {
  if (defaultExpression === undefined) return description;
  const note = `Default: \`${defaultExpression}\``;
  return description === undefined ? note : `${description}\n\n${note}`;
}
