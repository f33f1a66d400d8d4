// Describes the path of a function: POST always, GET if an overload can be called that way.
import type { Routine } from '../../catalog/schema-cache.ts';
import { describeOperation } from '../document/comment-text.ts';
import type { Reference } from './components.ts';
import type { DocumentContext } from './document-context.ts';
import { componentName } from './names.ts';
import { type Operation, shared } from './operation.ts';
import { describeBody, describeQueryArguments, isQueryable } from './routine-arguments.ts';
import { describeQueryBody, describesQuery, listRowFields } from './query-operation.ts';
import { describeResponses } from './routine-result.ts';

export const FUNCTIONS_TAG = 'Functions';

export function describeRoutinePath(
  name: string,
  overloads: readonly Routine[],
  context: DocumentContext,
): Record<string, Operation> {
  const post = describePost(name, overloads, context);
  const queryable = overloads.filter(isQueryable);
  if (queryable.length === 0) return { post };
  const query = describesQuery(context.input) ? { query: describeQuery(name, queryable, context) } : {};
  return { get: describeGet(name, queryable, context), ...query, post };
}

function describePost(name: string, overloads: readonly Routine[], context: DocumentContext): Operation {
  return {
    ...describeCall(overloads),
    operationId: `rpc_post_${componentName(name)}`,
    parameters: [...listRowParameters(overloads), ...shared('preferCall'), ...context.writeProfile],
    requestBody: describeBody(overloads, context.enums),
    responses: describeResponses(overloads, context),
  };
}

function describeGet(name: string, overloads: readonly Routine[], context: DocumentContext): Operation {
  return {
    ...describeCall(overloads),
    operationId: `rpc_get_${componentName(name)}`,
    parameters: [
      ...describeQueryArguments(overloads, context.enums),
      ...listRowParameters(overloads),
      ...listReadHeaders(overloads, context),
    ],
    responses: describeResponses(overloads, context),
  };
}

function describeQuery(name: string, overloads: readonly Routine[], context: DocumentContext): Operation {
  const described = describeQueryArguments(overloads, context.enums);
  const fields = Object.fromEntries(described.map((argument) => [argument.name, argument.schema] as const));
  return {
    ...describeCall(overloads),
    operationId: `rpc_query_${componentName(name)}`,
    parameters: listReadHeaders(overloads, context),
    requestBody: describeQueryBody(hasColumns(overloads) ? { ...fields, ...listRowFields() } : fields),
    responses: describeResponses(overloads, context),
  };
}

function listReadHeaders(overloads: readonly Routine[], { readProfile }: DocumentContext): Operation['parameters'] {
  const isSet = overloads.some(({ result }) => result.kind !== 'void' && result.isSet);
  return [...(isSet ? shared('range') : []), ...shared('preferCall'), ...readProfile];
}

function describeCall(overloads: readonly Routine[]): Pick<Operation, 'tags' | 'summary' | 'description'> {
  const commented = overloads.find(({ comment }) => comment !== undefined);
  return { tags: [FUNCTIONS_TAG], ...describeOperation(commented?.comment) };
}

function listRowParameters(overloads: readonly Routine[]): readonly Reference[] {
  return hasColumns(overloads) ? shared('and', 'or', 'select', 'order', 'limit', 'offset') : [];
}

/** Rows with columns can be selected, filtered and sorted like those of a relation. */
function hasColumns(overloads: readonly Routine[]): boolean {
  return overloads.some(({ result }) => result.kind === 'composite');
}
