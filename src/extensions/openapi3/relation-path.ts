// Describes the path of a relation: the operations that it supports and the role may use (`operating.md` §5.2).
import type { Relation } from '../../catalog/schema-cache.ts';
import { describeOperation } from '../../openapi/document/comment-text.ts';
import { componentName, filterName, type Reference, refTo } from './components.ts';
import { describeEvents, describeRows } from './content.ts';
import type { DocumentContext } from './document-context.ts';
import { listFilters } from './filters.ts';
import { bodyOf } from './request-bodies.ts';
import {
  CONTENT_RANGE,
  describeQueryBody,
  describesQuery,
  ERROR,
  listFilterFields,
  listRowFields,
  NO_CONTENT,
  type Operation,
  type Response,
  shared,
} from './operation.ts';
import { rowSchema } from './schemas.ts';
import {
  IF_MATCH_PARAMETER,
  IF_NONE_MATCH_PARAMETER,
  MATCH_PARAMETER,
  MERGE_PARAMETER,
  type Parameter,
} from './shared-parameters.ts';
import type { UsableRelation } from './usable-relations.ts';

type Describe = (relation: Relation, context: DocumentContext) => Omit<Operation, 'tags' | 'operationId'>;

/** Key of the response that contains rows of a relation; no other keys contain a dot. */
export function rowsKey({ name }: Relation): string {
  return `${componentName(name.name)}.rows`;
}

export function describeRowsResponse({ name }: Relation, context: DocumentContext): Response {
  const row = rowSchema(name.name);
  const content = describeRows(
    { json: { type: 'array', items: row }, item: row, isObject: true, isSet: true, element: name },
    context,
  );
  return { description: 'Rows', headers: CONTENT_RANGE, content };
}

export function describeRelationPath(relation: UsableRelation, context: DocumentContext): Record<string, Operation> {
  const { may, primaryKey } = relation;
  const complete = (method: string, describe: Describe): Operation => ({
    tags: [relation.name.name],
    ...describeOperation(relation.comment),
    operationId: `${method}_${componentName(relation.name.name)}`,
    ...describe(relation, context),
  });
  return {
    ...(may.select && { get: complete('get', describeRead) }),
    ...(may.select && describesQuery(context.input) && { query: complete('query', describeQuery) }),
    ...(may.insert && { post: complete('post', describeInsert) }),
    ...(may.insert && may.update && primaryKey.length > 0 && { put: complete('put', describePut) }),
    ...(may.update && { patch: complete('patch', describeUpdate) }),
    ...(may.delete && { delete: complete('delete', describeDelete) }),
  };
}

function describeRead(relation: Relation, context: DocumentContext): ReturnType<Describe> {
  const { readProfile, input } = context;
  const common = shared('and', 'or', 'select', 'order', 'limit', 'offset', 'range', 'preferRead');
  return {
    parameters: [...listFilters(relation), ...common, ...readProfile],
    responses: {
      200: input.isWatchable ? watchedRowsOf(relation, context) : rowsOf(relation),
      206: rowsOf(relation, 'Some of the rows'),
      ...ERROR,
    },
  };
}

function watchedRowsOf(relation: Relation, context: DocumentContext): Response {
  const rows = describeRowsResponse(relation, context);
  return { ...rows, content: { ...rows.content, ...describeEvents(context.input) } };
}

function describeQuery(relation: Relation, { readProfile }: DocumentContext): ReturnType<Describe> {
  return {
    parameters: [...shared('range', 'preferRead'), ...readProfile],
    requestBody: describeQueryBody({ ...listFilterFields(relation), ...listRowFields() }),
    responses: { 200: rowsOf(relation), 206: rowsOf(relation, 'Some of the rows'), ...ERROR },
  };
}

function describeInsert(relation: Relation, context: DocumentContext): ReturnType<Describe> {
  const rows = describeRowsResponse(relation, context);
  const common = shared('select', 'columns', 'on_conflict', 'preferInsert');
  const upsert = context.input.extensions.upsert ? [MERGE_PARAMETER] : [];
  const headers = { ...CONTENT_RANGE, Location: refTo('headers', 'location') };
  return {
    parameters: [...common, ...upsert, ...context.writeProfile],
    requestBody: bodyOf(relation, 'insert'),
    responses: {
      200: rowsOf(relation, 'All rows existed'),
      201: { ...rows, description: 'Created; contains the rows with `return=representation`', headers },
      ...ERROR,
    },
  };
}

/** A write of one row of a table may have a condition (`beyond.md` §1.7). */
function describeConditions(
  { kind, primaryKey, hasInheritors }: Relation,
  { input }: DocumentContext,
): {
  readonly match: readonly Parameter[];
  readonly noneMatch: readonly Parameter[];
  readonly failed: Operation['responses'];
} {
  const hasVersions = (kind === 'table' || kind === 'partitionedTable') && primaryKey.length > 0 && !hasInheritors;
  if (!hasVersions || !input.extensions.etag) return { match: [], noneMatch: [], failed: {} };
  return {
    match: [IF_MATCH_PARAMETER],
    noneMatch: [IF_NONE_MATCH_PARAMETER],
    failed: { 412: refTo('responses', 'ConditionFailed') },
  };
}

function describePut(relation: Relation, context: DocumentContext): ReturnType<Describe> {
  const { match, noneMatch, failed } = describeConditions(relation, context);
  const key = relation.primaryKey.map((column): Parameter => ({
    name: filterName(column),
    in: 'query',
    description: 'Key of the row: `eq.` and the value',
    required: true,
    schema: { type: 'string', pattern: String.raw`^eq\.` },
  }));
  return {
    parameters: [...key, ...shared('select', 'preferPut'), ...match, ...noneMatch, ...context.writeProfile],
    requestBody: bodyOf(relation, 'insert'),
    responses: {
      200: rowsOf(relation, 'Replaced'),
      201: rowsOf(relation, 'Created'),
      204: NO_CONTENT,
      ...failed,
      ...ERROR,
    },
  };
}

function describeUpdate(relation: Relation, context: DocumentContext): ReturnType<Describe> {
  const { input, writeProfile } = context;
  const { match, failed } = describeConditions(relation, context);
  const common = shared('and', 'or', 'select', 'columns', 'preferUpdate');
  // A parameter cannot be described twice, and a column of that name has a filter.
  const hasMatch = input.extensions.bulk && !relation.columns.has('match');
  return {
    parameters: [
      ...listFilters(relation),
      ...common,
      ...(hasMatch ? [MATCH_PARAMETER] : []),
      ...match,
      ...writeProfile,
    ],
    requestBody: bodyOf(relation, 'update'),
    responses: { 200: rowsOf(relation, 'The updated rows'), 204: NO_CONTENT, ...failed, ...ERROR },
  };
}

function describeDelete(relation: Relation, context: DocumentContext): ReturnType<Describe> {
  const { match, failed } = describeConditions(relation, context);
  const common = shared('and', 'or', 'select', 'preferDelete');
  return {
    parameters: [...listFilters(relation), ...common, ...match, ...context.writeProfile],
    responses: { 200: rowsOf(relation, 'The deleted rows'), 204: NO_CONTENT, ...failed, ...ERROR },
  };
}

function rowsOf(relation: Relation, description?: string): Reference {
  const reference = refTo('responses', rowsKey(relation));
  return description === undefined ? reference : { ...reference, description };
}
