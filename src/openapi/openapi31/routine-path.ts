// Describes the path of a function: POST always, GET if an overload can be called that way.
import type { Routine } from '../../catalog/schema-cache.ts';
import { describeOperation } from '../document/comment-text.ts';
import type { Reference } from './components.ts';
import type { DocumentContext } from './document-context.ts';
import { componentName } from './names.ts';
import { type Operation, shared } from './operation.ts';
import { describeBody, describeQueryArguments, isQueryable } from './routine-arguments.ts';
import { describeResponses } from './routine-result.ts';

export const FUNCTIONS_TAG = 'Functions';

export function describeRoutinePath(
  name: string,
  overloads: readonly Routine[],
  context: DocumentContext,
): Record<string, Operation> {
  const post = describePost(name, overloads, context);
  const queryable = overloads.filter(isQueryable);
  return queryable.length === 0 ? { post } : { get: describeGet(name, queryable, context), post };
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
  const isSet = overloads.some(({ result }) => result.kind !== 'void' && result.isSet);
  return {
    ...describeCall(overloads),
    operationId: `rpc_get_${componentName(name)}`,
    parameters: [
      ...describeQueryArguments(overloads, context.enums),
      ...listRowParameters(overloads),
      ...(isSet ? shared('range') : []),
      ...shared('preferCall'),
      ...context.readProfile,
    ],
    responses: describeResponses(overloads, context),
  };
}

function describeCall(overloads: readonly Routine[]): Pick<Operation, 'tags' | 'summary' | 'description'> {
  const commented = overloads.find(({ comment }) => comment !== undefined);
  return { tags: [FUNCTIONS_TAG], ...describeOperation(commented?.comment) };
}

/** Rows with columns can be selected, filtered and sorted like those of a relation. */
function listRowParameters(overloads: readonly Routine[]): readonly Reference[] {
  const hasColumns = overloads.some(({ result }) => result.kind === 'composite');
  return hasColumns ? shared('and', 'or', 'select', 'order', 'limit', 'offset') : [];
}
