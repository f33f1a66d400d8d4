// The common parts of operations on relations and functions.
import type { Relation } from '../../catalog/schema-cache.ts';
import { filterName, type Reference, refTo } from './components.ts';
import type { Content } from './content.ts';
import type { DescriptionInput } from '../../openapi/document/description-input.ts';
import { QUERY_TYPE } from '../../request/long-query.ts';
import type { Parameter, SharedParameter } from './shared-parameters.ts';
import type { JsonSchema } from './types.ts';

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export interface RequestBody {
  readonly description?: string | undefined;
  readonly required?: true | undefined;
  readonly content: Content;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  /** Unique in the document. */
  readonly operationId: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference | undefined;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export const CONTENT_RANGE: Readonly<Record<string, Reference>> = { 'Content-Range': refTo('headers', 'contentRange') };
export const NO_CONTENT: Reference = refTo('responses', 'NoContent');
/** The response for every status that is not listed. */
export const ERROR: Readonly<Record<'default', Reference>> = { default: refTo('responses', 'Error') };

export function shared(...keys: readonly SharedParameter[]): readonly Reference[] {
  return keys.map((key) => refTo('parameters', key));
}

const ROW_PARAMETERS = ['and', 'or', 'select', 'order', 'limit', 'offset'];
const TEXT: JsonSchema = { type: 'string' };

type QueryFields = Readonly<Record<string, JsonSchema>>;

/**
 * Describes QUERY, which sends the query string of a GET as its body, for OpenAPI 3.2 (`beyond.md` §1.8, §3.6). Older
 * versions have no field for the method.
 */
export function describesQuery({ version, extensions }: Pick<DescriptionInput, 'version' | 'extensions'>): boolean {
  return version === '3.2' && extensions.query;
}

/** Of rows that can be selected, filtered and sorted. */
export function listRowFields(): QueryFields {
  return Object.fromEntries(ROW_PARAMETERS.map((name) => [name, TEXT]));
}

export function listFilterFields({ columns }: Relation): QueryFields {
  return Object.fromEntries([...columns.keys()].map((column) => [filterName(column), TEXT]));
}

export function describeQueryBody(fields: QueryFields): RequestBody {
  return { required: true, content: { [QUERY_TYPE]: { schema: { type: 'object', properties: fields } } } };
}
