// `call_function`: a POST to a function, which limits the rows of a set.
import { ok } from '../../../contract/result.ts';
import type { DescribedFunction } from '../../../contract/schema-document.ts';
import type { JsonObject } from '../../../util/json-object.ts';
import { describeSchema, listCallable, profileOf, NAME_PROPERTY, schemaProperty } from '../requests/describe.ts';
import { choosePage, listPage, pageParameters } from '../requests/page.ts';
import { commitProperty, describeEnd, transactionHeader } from '../requests/preview.ts';
import { buildParameters, type ReadArguments, readProperties } from '../requests/query-arguments.ts';
import { encodeSegment, TOO_LONG } from '../calls/send-request.ts';
import { buildFailure, buildResult, type ToolResult, type Tool, type ToolContext } from '../calls/tool.ts';

interface Arguments extends ReadArguments {
  readonly function: string;
  readonly arguments?: JsonObject;
  readonly schema?: string;
  readonly commit?: boolean;
}

export const CALL_FUNCTION: Tool = {
  name: 'call_function',
  title: 'Call a function',
  description:
    'Calls a function of the database with named arguments. If it returns a set of rows, they can be selected, filtered and ordered as in read_rows.',
  requiresWrites: false,
  findEffect: ({ mcpWrites }) => (mcpWrites ? 'changes' : 'none'),
  buildInputSchema: (config) => ({
    type: 'object',
    properties: {
      function: NAME_PROPERTY,
      arguments: { type: 'object', description: 'Arguments by name' },
      ...schemaProperty(config),
      ...readProperties(config),
      ...(config.mcpWrites ? { commit: commitProperty('call of a function that may change data') } : {}),
    },
    required: ['function'],
    additionalProperties: false,
  }),
  isUseful: (documents, { mcpWrites }) =>
    documents.some(({ functions }) => listCallable(functions, mcpWrites).length > 0),
  async run(given: Arguments, context) {
    const { mcpWrites } = context.config;
    const known = context.schemas.find(given.schema);
    // What is known may be outdated, so it permits a call but does not refuse one.
    const isCallable = (functions: readonly DescribedFunction[]): boolean =>
      listCallable(functions, mcpWrites).some(({ name }) => name === given.function);
    const isKnown = known !== undefined && isCallable(known.functions);
    const document = isKnown ? ok(known) : await describeSchema(given.schema, context);
    if (!document.ok) return buildFailure(document.error);
    const { functions } = document.value;
    const overloads = functions.filter(({ name }) => name === given.function);
    return isCallable(functions) ? call(given, overloads, context) : refuse(overloads);
  },
};

function refuse(overloads: readonly DescribedFunction[]): ToolResult {
  if (overloads.length === 0)
    return buildFailure({
      status: 404,
      message: 'There is no such function',
      hint: 'Call list_relations for the names',
    });
  return buildFailure({
    status: 403,
    message: 'The function may change data',
    hint: 'The operator allows calls of such functions with mcp-writes',
  });
}

async function call(
  given: Arguments,
  overloads: readonly DescribedFunction[],
  context: ToolContext,
): Promise<ToolResult> {
  const parameters = buildParameters(given);
  if (!parameters.ok) return buildFailure(parameters.error);
  const page = choosePage(given, parameters.value, context.config);
  // The server selects the overload later. A page has no effect on an overload that returns a single value.
  const isSet = overloads.some(({ result }) => result.isSet);
  const isWrite = overloads.some(({ isReadOnly }) => !isReadOnly);
  const reply = await context.send({
    method: 'POST',
    path: `/rpc/${encodeSegment(given.function)}`,
    parameters: isSet ? [...page.others, ...pageParameters(page)] : page.others,
    headers: [
      ['accept', 'application/json'],
      ['prefer', transactionHeader(given.commit)],
      ...profileOf('content', given.schema),
    ],
    body: given.arguments ?? {},
  });
  if (reply.kind === 'failure') return buildFailure(reply.failure);
  if (reply.isTooLong && !isWrite) return buildFailure(TOO_LONG);
  const end = isWrite ? describeEnd(given.commit, reply) : {};
  if (isSet && Array.isArray(reply.body))
    return buildResult({ list: listPage(reply.body, page, context.config), ...end });
  return buildResult({ data: reply.isTooLong ? {} : { value: reply.body ?? null }, ...end });
}
