// `insert_rows`, `update_rows` and `delete_rows`: previews by default, never without a filter and an upper bound.
import type { AppConfig } from '../../../config/table/app-config.ts';
import { firstHeader } from '../../../contract/http.ts';
import type { SchemaDocument } from '../../../contract/schema-document.ts';
import type { JsonObject } from '../../../util/json-object.ts';
import {
  recallRelation,
  type FoundRelation,
  hideNames,
  profileOf,
  readableColumns,
  NAME_PROPERTY,
  schemaProperty,
} from '../requests/describe.ts';
import { commitProperty, describeEnd, transactionHeader } from '../requests/preview.ts';
import { renderName } from '../../../request/query/render-names.ts';
import { buildFilter, type FilterArgument, filtersSchema } from '../requests/query-arguments.ts';
import { encodeSegment, type Parameter, type ToolRequest } from '../calls/send-request.ts';
import { buildFailure, buildResult, type ToolResult, type Tool, type ToolContext } from '../calls/tool.ts';

interface Target {
  readonly relation: string;
  readonly schema?: string;
  readonly commit?: boolean;
}

interface Limited extends Target {
  readonly filters: readonly FilterArgument[];
  readonly max_affected: number;
}

const PREVIEWED = 'Without "commit": true it is a preview, which is rolled back.';

export const INSERT_ROWS: Tool = {
  name: 'insert_rows',
  title: 'Insert rows',
  description: `Inserts rows into a table. ${PREVIEWED}`,
  requiresWrites: true,
  findEffect: () => 'adds',
  buildInputSchema: (config) => {
    const rows = {
      type: 'array',
      items: { type: 'object', description: 'Values by column' },
      minItems: 1,
      maxItems: config.mcpMaxRows,
    };
    return targetSchema(config, { rows });
  },
  isUseful: (documents) => mayAnywhere(documents, 'insert'),
  run: (given: Target & { readonly rows: readonly JsonObject[] }, context) =>
    write(given, context, {
      method: 'POST',
      parameters: columnsOf(given.rows),
      preferences: ['missing=default'],
      body: given.rows,
    }),
};

export const UPDATE_ROWS: Tool = {
  name: 'update_rows',
  title: 'Update rows',
  description: `Changes the rows of a table that fulfil the filters. Fails if there are more than max_affected. ${PREVIEWED}`,
  requiresWrites: true,
  findEffect: () => 'changes',
  buildInputSchema: (config) => {
    const values = { type: 'object', description: 'New values by column', minProperties: 1 };
    return targetSchema(config, { values, ...limitProperties(config) });
  },
  isUseful: (documents) => mayAnywhere(documents, 'update'),
  run: (given: Limited & { readonly values: JsonObject }, context) =>
    write(given, context, { method: 'PATCH', ...limit(given), body: given.values }),
};

export const DELETE_ROWS: Tool = {
  name: 'delete_rows',
  title: 'Delete rows',
  description: `Deletes the rows of a table that fulfil the filters. Fails if there are more than max_affected. ${PREVIEWED}`,
  requiresWrites: true,
  findEffect: () => 'changes',
  buildInputSchema: (config) => targetSchema(config, limitProperties(config)),
  isUseful: (documents) => mayAnywhere(documents, 'delete'),
  run: (given: Limited, context) => write(given, context, { method: 'DELETE', ...limit(given) }),
};

function targetSchema(config: AppConfig, properties: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      relation: NAME_PROPERTY,
      ...schemaProperty(config),
      ...properties,
      commit: commitProperty('write'),
    },
    required: ['relation', ...Object.keys(properties)],
    additionalProperties: false,
  };
}

function limitProperties(config: AppConfig): JsonObject {
  return {
    filters: { ...filtersSchema(config), minItems: 1 },
    max_affected: { type: 'integer', minimum: 1, description: 'Fails and changes nothing if more rows are affected' },
  };
}

function mayAnywhere(documents: readonly SchemaDocument[], verb: 'insert' | 'update' | 'delete'): boolean {
  return documents.some(({ relations }) => relations.some(({ may }) => may[verb]));
}

/** Rows may have different keys. A missing key gets the default of its column. */
function columnsOf(rows: readonly JsonObject[]): readonly Parameter[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return names.size === 0 ? [] : [['columns', [...names].map(renderName).join(',')]];
}

function limit({ filters, max_affected: maximum }: Limited): Pick<Write, 'parameters' | 'preferences'> {
  return { parameters: filters.map(buildFilter), preferences: ['handling=strict', `max-affected=${maximum}`] };
}

interface Write {
  readonly method: ToolRequest['method'];
  readonly parameters: readonly Parameter[];
  readonly preferences: readonly string[];
  readonly body?: unknown;
}

async function write(given: Target, context: ToolContext, { preferences, ...request }: Write): Promise<ToolResult> {
  const found = await recallRelation(given, context);
  if (!found.ok) return buildFailure(found.error);
  const shown = showEffect(found.value);
  const prefer = [...preferences, shown.preference, 'count=exact', transactionHeader(given.commit)].join(', ');
  const reply = await context.send({
    ...request,
    path: `/${encodeSegment(given.relation)}`,
    parameters: [...request.parameters, ...shown.parameters],
    headers: [['accept', 'application/json'], ['prefer', prefer], ...profileOf('content', given.schema)],
  });
  if (reply.kind === 'failure') return buildFailure(hideNames(reply.failure, found.value));
  const total = /\/(\d+)$/u.exec(firstHeader(reply.headers, 'content-range') ?? '')?.[1];
  const affected = total === undefined ? undefined : Number(total);
  const rows: readonly unknown[] = Array.isArray(reply.body) ? reply.body : [];
  const { mcpMaxRows } = context.config;
  return buildResult({
    data: { affected },
    ...describeEnd(given.commit, reply),
    list: {
      name: 'rows',
      items: rows.slice(0, mcpMaxRows),
      offset: 0,
      hasMore: rows.length > mcpMaxRows,
      canContinue: false,
    },
  });
}

/** Requests the written rows, with the columns that the role may read. */
function showEffect({ relation }: FoundRelation): {
  readonly preference: string;
  readonly parameters: readonly Parameter[];
} {
  const readable = readableColumns(relation).map(({ name }) => name);
  if (readable.length === 0) return { preference: 'return=minimal', parameters: [] };
  const order = relation.key.length > 0 && relation.key.every((column) => readable.includes(column));
  return {
    preference: 'return=representation',
    parameters: [
      ['select', readable.map(renderName).join(',')],
      ...(order ? [['order', relation.key.map(renderName).join(',')] as const] : []),
    ],
  };
}
