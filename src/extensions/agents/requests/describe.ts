// The description of a schema as the role sees it: the document that the explorer reads too.
import type { AppConfig } from '../../../config/table/app-config.ts';
import type {
  DescribedColumn,
  DescribedFunction,
  DescribedRelation,
  SchemaDocument,
} from '../../../contract/schema-document.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ToolFailure, ToolHeader } from '../calls/send-request.ts';
import type { ToolContext } from '../calls/tool.ts';
import { isDescription } from '../calls/read-description.ts';

const DESCRIPTION_TOO_LONG: ToolFailure = {
  message: 'The schema has more relations than tools can describe',
  hint: 'Use a role that sees fewer of them',
};

/** Reads the description. @param schema an exposed schema; undefined: the default one */
export async function describeSchema(
  schema: string | undefined,
  { dialect, send, schemas, pause }: ToolContext,
): Promise<Result<SchemaDocument, ToolFailure>> {
  const reply = await send({
    method: 'GET',
    path: '/',
    headers: [['accept', `application/vnd.${dialect.mediaVendor}.schema+json`], ...profileOf('accept', schema)],
    read: (bytes) => schemas.read(schema, bytes, pause),
  });
  if (reply.kind === 'failure') return fail(reply.failure);
  return isDescription(reply.body) ? ok(reply.body) : fail(DESCRIPTION_TOO_LONG);
}

export interface FoundRelation {
  readonly relation: DescribedRelation;
  readonly document: SchemaDocument;
}

interface NamedRelation {
  readonly schema?: string;
  readonly relation: string;
}

/** Finds a relation in a description that has just been read. */
export async function describeRelation(
  named: NamedRelation,
  context: ToolContext,
): Promise<Result<FoundRelation, ToolFailure>> {
  const document = await describeSchema(named.schema, context);
  if (!document.ok) return document;
  const found = findVisible(named, document.value);
  if (found !== undefined) return ok(found);
  return fail({ status: 404, message: 'There is no such relation', hint: 'Call list_relations for the names' });
}

/** Finds a relation, in a description that is known if it contains the relation. */
export async function recallRelation(
  named: NamedRelation,
  context: ToolContext,
): Promise<Result<FoundRelation, ToolFailure>> {
  const known = context.schemas.find(named.schema);
  const found = known && findVisible(named, known);
  return found === undefined ? describeRelation(named, context) : ok(found);
}

function findVisible({ relation: name }: NamedRelation, document: SchemaDocument): FoundRelation | undefined {
  const relation = document.relations.find((each) => each.name === name && isVisible(each));
  return relation && { relation, document };
}

/** Characters of a comment. A longer one would leave no room for the described object. */
const MAX_TEXT = 2000;

export function shortenText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

export function commentOf(comment: string | undefined): { readonly comment?: string } {
  return comment === undefined ? {} : { comment: shortenText(comment) };
}

export function profileOf(kind: 'accept' | 'content', schema: string | undefined): readonly ToolHeader[] {
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

/**
 * Returns the functions that agents may call. Without `mcp-writes`, these run in a read-only transaction. The arguments
 * select one of several overloads, so all overloads must be read-only.
 */
export function listCallable(functions: readonly DescribedFunction[], mayWrite: boolean): readonly DescribedFunction[] {
  if (mayWrite) return functions;
  const writing = new Set(functions.flatMap(({ name, isReadOnly }) => (isReadOnly ? [] : [name])));
  return functions.filter(({ name }) => !writing.has(name));
}

const SUGGESTED = /"([^".]+)\.([^"]+)"/gu;

/** Removes hints that name columns the role may not see, because PostgreSQL ignores privileges when it suggests names. */
export function hideNames(failure: ToolFailure, { relation, document }: FoundRelation): ToolFailure {
  const { code, hint, ...others } = failure;
  if (code !== '42703' || hint === undefined) return failure;
  // The rows of an embed may have any name.
  const findPlaces = (name: string | undefined): readonly DescribedRelation[] =>
    name === relation.name ? [relation] : document.relations;
  const isShown = [...hint.matchAll(SUGGESTED)].every(([, place, column]) =>
    findPlaces(place).some(({ columns }) => columns.some((each) => each.name === column && isColumnVisible(each))),
  );
  return isShown ? failure : { code, ...others };
}
