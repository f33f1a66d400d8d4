// Describes QUERY, which sends the query string of a GET as its body, for OpenAPI 3.2 (`beyond.md` §1.8, §3.6).
import type { Relation } from '../../catalog/schema-cache.ts';
import { QUERY_TYPE } from '../../request/long-query.ts';
import type { DescriptionInput } from '../document/description-input.ts';
import { filterName } from './names.ts';
import type { RequestBody } from './operation.ts';
import type { JsonSchema } from './types.ts';

const ROW_PARAMETERS = ['and', 'or', 'select', 'order', 'limit', 'offset'];
const TEXT: JsonSchema = { type: 'string' };

export type QueryFields = Readonly<Record<string, JsonSchema>>;

/** Older versions have no field for the method. */
export function describesQuery({ version, extensions }: Pick<DescriptionInput, 'version' | 'extensions'>): boolean {
  return version === '3.2' && extensions.includes('query');
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
