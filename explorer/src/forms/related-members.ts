// Related rows of a new row, written with it in one request (`Prefer: nested=write`).
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { type FieldValues, NULL } from './field-value.ts';
import { type FormField, listFields, renderBody } from './form-fields.ts';
import { wrap } from './value-json.ts';

/** A relationship whose rows can be inserted with their parent. */
export interface RelatedTable {
  readonly relationship: DescribedRelationship;
  /** Without the columns that refer to the parent, which the server fills. */
  readonly fields: readonly FormField[];
}

export function listRelatedTables(schema: SchemaIndex, relation: DescribedRelation): readonly RelatedTable[] {
  if (schema.document.features.extensions?.includes('nested') !== true) return [];
  return relation.relationships.flatMap((relationship): RelatedTable[] => {
    const target = relationship.schema === undefined ? schema.relations.get(relationship.target) : undefined;
    if (relationship.kind !== 'oneToMany' || target?.may.insert !== true) return [];
    const filled = new Set(relationship.columns.map(([, column]) => column));
    const fields = listFields(target, undefined).fields.filter(({ column }) => !filled.has(column.name));
    return fields.length === 0 ? [] : [{ relationship, fields }];
  });
}

/** Rows by the address of their relationship. */
export type RelatedRows = ReadonlyMap<string, readonly FieldValues[]>;

export interface RelatedMembers {
  /** Members of the body: `"items": […]`. */
  readonly members: readonly string[];
  /** The first problem, with its place. */
  readonly problem: string | undefined;
}

export const NO_MEMBERS: RelatedMembers = { members: [], problem: undefined };

export function renderRelated(tables: readonly RelatedTable[], rows: RelatedRows): RelatedMembers {
  const members: string[] = [];
  for (const { relationship, fields } of tables) {
    const entered = rows.get(relationship.address) ?? [];
    const bodies: string[] = [];
    const used = inUse(fields, entered).map(({ column, input, initial }) => ({
      column,
      input,
      initial,
      isRequired: !column.isNullable,
    }));
    for (const [index, values] of entered.entries()) {
      const body = renderBody(used, withNulls(used, values));
      if (body.ok) bodies.push(body.value.replaceAll('\n', '\n    '));
      else return { members: [], problem: placeOf(relationship.address, index, body.error) };
    }
    if (bodies.length > 0) members.push(`${JSON.stringify(relationship.address)}: ${wrap('[]', bodies, '  ')}`);
  }
  return { members, problem: undefined };
}

/** Rows of one array have the same columns: in a column of another row, a value is required or null. */
function inUse(fields: readonly FormField[], rows: readonly FieldValues[]): readonly FormField[] {
  return fields.filter(
    ({ column, isRequired }) => isRequired || rows.some((row) => row.get(column.name) !== undefined),
  );
}

function withNulls(used: readonly FormField[], values: FieldValues): FieldValues {
  const nullable = used.filter(({ column: { name, isNullable } }) => isNullable && values.get(name) === undefined);
  return new Map([...nullable.map(({ column }) => [column.name, NULL] as const), ...values]);
}

function placeOf(address: string, index: number, problems: ReadonlyMap<string, string>): string {
  const [[column, message] = ['', '']] = problems;
  return `${address}, row ${index + 1}, ${column}: ${message}`;
}

/** Adds members with related rows to the body of an insert. */
export function insertWithRelated(request: OutgoingRequest, members: readonly string[]): OutgoingRequest {
  if (members.length === 0 || request.body === undefined) return request;
  const related = members.map((member) => `  ${member}`).join(',\n');
  const own = request.body === '{}' ? '{' : `${request.body.slice(0, -'\n}'.length)},`;
  const headers = request.headers.map(
    ([name, value]) => [name, name === 'Prefer' ? `nested=write, ${value}` : value] as const,
  );
  return { ...request, headers, body: `${own}\n${related}\n}` };
}
