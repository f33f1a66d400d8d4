// `read_rows`: a GET of a relation, in a deterministic order and of limited size.
import { parseQueryParams } from '../../request/query/parse-query-params.ts';
import { requestSettingsOf } from '../../request-context.ts';
import { completeOrder } from '../requests/complete-order.ts';
import {
  describeRelation,
  type FoundRelation,
  profileOf,
  readableColumns,
  NAME_PROPERTY,
  schemaProperty,
} from '../requests/describe.ts';
import { hideNames } from '../requests/hide-names.ts';
import { choosePage, listPage, pageParameters } from '../requests/page.ts';
import { buildParameters, quoteName, type ReadArguments, readProperties } from '../requests/query-arguments.ts';
import { encodeSegment, type Parameter, renderQuery, TOO_LONG } from '../calls/send-request.ts';
import type { Tool, ToolContext } from '../calls/tool.ts';
import { buildFailure, buildResult } from '../calls/tool-result.ts';

interface Arguments extends ReadArguments {
  readonly relation: string;
  readonly schema?: string;
}

export const READ_ROWS: Tool = {
  name: 'read_rows',
  title: 'Read rows',
  description:
    'Reads rows of a table or view, with related rows if you select them. Rows come in the order you ask for, then by primary key.',
  requiresWrites: false,
  findEffect: () => 'none',
  buildInputSchema: (config) => ({
    type: 'object',
    properties: {
      relation: NAME_PROPERTY,
      ...schemaProperty(config),
      ...readProperties(config),
    },
    required: ['relation'],
    additionalProperties: false,
  }),
  isUseful: (documents) =>
    documents.some(({ relations }) => relations.some((relation) => readableColumns(relation).length > 0)),
  async run(given: Arguments, context) {
    const found = await describeRelation(given, context);
    if (!found.ok) return buildFailure(found.error);
    const parameters = buildParameters(given);
    if (!parameters.ok) return buildFailure(parameters.error);
    const page = choosePage(given, parameters.value, context.config);
    const reply = await context.send({
      method: 'GET',
      path: `/${encodeSegment(given.relation)}`,
      parameters: [...order(selectReadable(page.others, found.value), found.value, context), ...pageParameters(page)],
      headers: [['accept', 'application/json'], ...profileOf('accept', given.schema)],
    });
    if (reply.kind === 'failure') return buildFailure(hideNames(reply.failure, found.value));
    if (reply.isTooLong) return buildFailure(TOO_LONG);
    const rows: readonly unknown[] = Array.isArray(reply.body) ? reply.body : [reply.body];
    return buildResult({ list: listPage(rows, page, context.config) });
  },
};

/** If the request selects all columns, selects those that the role may read. */
function selectReadable(parameters: readonly Parameter[], { relation }: FoundRelation): readonly Parameter[] {
  if (parameters.some(([name]) => name === 'select')) return parameters;
  const all = relation.columns.filter(({ isComputed }) => !isComputed);
  const readable = readableColumns(relation);
  if (readable.length === all.length || readable.length === 0) return parameters;
  return [['select', readable.map(({ name }) => quoteName(name)).join(',')], ...parameters];
}

function order(
  parameters: readonly Parameter[],
  found: FoundRelation,
  { config, dialect }: ToolContext,
): readonly Parameter[] {
  const { extensions, limits } = requestSettingsOf({ config, dialect });
  const query = parseQueryParams(renderQuery(parameters), {
    limits,
    arguments: 'none',
    areBoundsLenient: dialect.areBoundsLenient,
    isTrailingTextIgnored: dialect.isTrailingTextIgnored,
    hasPages: extensions.includes('cursor'),
    hasScores: extensions.includes('score'),
    mayRecurse: extensions.includes('recursive'),
  });
  // The API reports the parse error. A page token already implies an order.
  return query.ok && query.value.pages.length === 0 ? completeOrder(parameters, query.value, found) : parameters;
}
