// Describes the schemas of relations: rows as responses contain them, and as clients send them in POST and PATCH.
import type { Column, Relation } from '../../catalog/schema-cache.ts';
import type { Member } from '../document/json-document.ts';
import { describeColumns } from '../document/notes.ts';
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
    yield [`${key}.update`, describeUpdate(relation, describe)];
    if (context.input.extensions.includes('bulk')) yield [`${key}.updates`, describeUpdates(relation)];
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

function describeUpdate(relation: Relation, describe: DescribeColumn): ValueSchema {
  const properties = listSettable(relation).map((column) => [column.name, describe(column, 'update')] as const);
  return { type: 'object', description: relation.comment, properties: Object.fromEntries(properties) };
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
    const { defaultExpression } = column;
    return {
      ...(column.isNullable ? allowNull(value) : value),
      description: descriptionOf(column),
      maxLength: value.type === 'string' ? column.maxLength : undefined,
      default:
        use === 'insert' && defaultExpression !== undefined ? parseConstant(defaultExpression, value) : undefined,
      readOnly: use === 'row' && column.isGenerated ? true : undefined,
    };
  };
}

/** JSON numbers with more digits lose precision. */
const EXACT_DIGITS = 15;

/** Parses a column's default expression into a JSON value if it is a constant; expressions such as `now()` are not. */
export function parseConstant(expression: string, schema: ValueSchema): unknown {
  const text = readLiteral(expression);
  const { type, format } = schema;
  if (type === 'string') return text !== undefined && isTextOf(text, schema) ? text : undefined;
  if (type === 'integer' || type === 'number') return readNumber(text ?? expression);
  if (type === 'boolean') return expression === 'true' || expression === 'false' ? expression === 'true' : undefined;
  if (type === 'array') return text === '{}' || expression.startsWith('ARRAY[]::') ? [] : undefined;
  return format === undefined && text !== undefined ? readJson(text) : undefined;
}

/** `'it''s'::text` → `it's`; undefined for anything but a single text literal, optionally with a cast. */
function readLiteral(expression: string): string | undefined {
  const match = /^'((?:[^']|'')*)'(?:::[^']+)?$/u.exec(expression);
  return match?.[1]?.replaceAll("''", "'");
}

/** Excludes texts that JSON output formats differently from PostgreSQL's literals. */
function isTextOf(text: string, { format, enum: labels }: ValueSchema): boolean {
  if (format?.startsWith('date-time') === true) return false;
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/u.test(text);
  return labels === undefined || labels.includes(text);
}

function readNumber(text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?$/u.test(text) || text.replaceAll(/\D/gu, '').length > EXACT_DIGITS) return undefined;
  return Number(text);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
