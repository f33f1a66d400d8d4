// Reads the description of a schema as the role sees it: the document that the explorer reads too.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { DescribedColumn, DescribedRelation, SchemaDocument } from '../../contract/schema-document.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isJsonObject } from '../../util/json-object.ts';
import type { ToolFailure } from '../calls/send-request.ts';
import type { ToolContext } from '../calls/tool.ts';

const DESCRIPTION_TOO_LONG: ToolFailure = {
  message: 'The schema has more relations than tools can describe',
  hint: 'Use a role that sees fewer of them',
};

/** @param schema an exposed schema; undefined: the default one */
export async function describeSchema(
  schema: string | undefined,
  { dialect, send }: ToolContext,
): Promise<Result<SchemaDocument, ToolFailure>> {
  const reply = await send({
    method: 'GET',
    path: '/',
    headers: [['accept', `application/vnd.${dialect.mediaVendor}.schema+json`], ...profileOf('accept', schema)],
  });
  if (reply.kind === 'failure') return fail(reply.failure);
  return isDocument(reply.body) ? ok(reply.body) : fail(DESCRIPTION_TOO_LONG);
}

/** The server itself writes the document, so two members identify it. */
function isDocument(body: unknown): body is SchemaDocument {
  return isJsonObject(body) && Array.isArray(body['relations']) && Array.isArray(body['functions']);
}

/** The relation and the document it was found in. */
export interface FoundRelation {
  readonly relation: DescribedRelation;
  readonly document: SchemaDocument;
}

export async function describeRelation(
  { schema, relation: name }: { readonly schema?: string; readonly relation: string },
  context: ToolContext,
): Promise<Result<FoundRelation, ToolFailure>> {
  const document = await describeSchema(schema, context);
  if (!document.ok) return document;
  const relation = document.value.relations.find((each) => each.name === name && isVisible(each));
  if (relation !== undefined) return ok({ relation, document: document.value });
  return fail({ status: 404, message: 'There is no such relation', hint: 'Call list_relations for the names' });
}

/** Characters of a comment. A longer one would leave no room for the described object. */
const MAX_TEXT = 2000;

export function shortenText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

export function commentOf(comment: string | undefined): { readonly comment?: string } {
  return comment === undefined ? {} : { comment: shortenText(comment) };
}

/** The header that selects a schema. */
export function profileOf(
  kind: 'accept' | 'content',
  schema: string | undefined,
): readonly (readonly [string, string])[] {
  return schema === undefined ? [] : [[`${kind}-profile`, schema]];
}

/** Whether the role may use the relation in any way. */
export function isVisible({ may, columns }: DescribedRelation): boolean {
  return Object.values(may).includes(true) || columns.some(isColumnVisible);
}

export function isColumnVisible({ may }: DescribedColumn): boolean {
  return may.select || may.insert || may.update;
}

/** Returns the operations that the role may perform and that have a tool. */
export function listVerbs(may: Readonly<Record<string, boolean>>, mayWrite: boolean): readonly string[] {
  return Object.entries(may).flatMap(([verb, isAllowed]) =>
    isAllowed && (mayWrite || verb === 'select') ? [verb] : [],
  );
}

/** Columns of the relation itself that the role may read. */
export function readableColumns({ columns }: DescribedRelation): readonly DescribedColumn[] {
  return columns.filter(({ may, isComputed }) => may.select && !isComputed);
}

/** The argument that names a table, a view or a function. */
export const NAME_PROPERTY: Readonly<Record<string, unknown>> = {
  type: 'string',
  minLength: 1,
  description: 'Name from list_relations',
};

/** The argument that selects a schema, if there are several. */
export function schemaProperty({ dbSchemas }: Pick<AppConfig, 'dbSchemas'>): Readonly<Record<string, unknown>> {
  if (dbSchemas.length === 1) return {};
  const description = `Schema to use (default: ${dbSchemas[0]})`;
  return { schema: { type: 'string', enum: dbSchemas, description } };
}
