// `read_rows`: a GET of a relation, in a deterministic order and of limited size.
import type { DescribedColumn, DescribedRelation, SchemaDocument } from '../../../contract/schema-document.ts';
import { parseQueryParams } from '../../../request/query/parse-query-params.ts';
import type { QueryParams, SelectItem } from '../../../request/query/query-params.ts';
import { requestSettingsOf } from '../../../serve/request-context.ts';
import {
  recallRelation,
  type FoundRelation,
  hideNames,
  profileOf,
  readableColumns,
  NAME_PROPERTY,
  schemaProperty,
} from '../requests/describe.ts';
import { choosePage, listPage, pageParameters } from '../requests/page.ts';
import { renderName } from '../../../request/query/render-names.ts';
import { buildParameters, type ReadArguments, readProperties } from '../requests/query-arguments.ts';
import { encodeSegment, type Parameter, renderQuery, TOO_LONG } from '../calls/send-request.ts';
import { buildFailure, buildResult, type Tool, type ToolContext } from '../calls/tool.ts';

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
  async run(given: ReadArguments & { readonly relation: string; readonly schema?: string }, context) {
    const found = await recallRelation(given, context);
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
  return [['select', readable.map(({ name }) => renderName(name)).join(',')], ...parameters];
}

function order(
  parameters: readonly Parameter[],
  found: FoundRelation,
  { config, dialect }: ToolContext,
): readonly Parameter[] {
  const { extensions, limits } = requestSettingsOf({ config, dialect, seams: {} });
  const query = parseQueryParams(renderQuery(parameters), {
    limits,
    arguments: 'none',
    areBoundsLenient: dialect.areBoundsLenient,
    isTrailingTextIgnored: dialect.isTrailingTextIgnored,
    hasPages: extensions.cursor,
    hasScores: extensions.score,
    mayRecurse: extensions.recursive,
  });
  // The API reports the parse error. A page token already implies an order.
  return query.ok && query.value.pages.length === 0 ? completeOrder(parameters, query.value, found) : parameters;
}

/**
 * Completes the order, so that equal calls return rows in the same order and pages do not overlap: by the primary key, or
 * by all columns that can be ordered if there is none.
 *
 * @returns the parameters with a complete order at the top level, and in each to-many embed
 */
function completeOrder(
  parameters: readonly Parameter[],
  query: QueryParams,
  { relation, document }: { readonly relation: DescribedRelation; readonly document: SchemaDocument },
): readonly Parameter[] {
  let completed = parameters;
  for (const level of listLevels({ path: [], select: query.select, relation }, document)) {
    const columns = findOrder(level, query);
    if (columns.length > 0) completed = appendOrder(completed, level.path, columns);
  }
  return completed;
}

/** A level of the `select` tree whose rows can be ordered. */
interface Level {
  readonly path: readonly string[];
  readonly select: readonly SelectItem[];
  readonly relation: DescribedRelation;
}

function listLevels(level: Level, document: SchemaDocument): readonly Level[] {
  return [level, ...level.select.flatMap((item) => listEmbeds(item, level, document))];
}

function listEmbeds(item: SelectItem, { path, relation }: Level, document: SchemaDocument): readonly Level[] {
  if (item.kind !== 'embed' || item.levels !== undefined) return [];
  const address = item.hint === undefined ? item.target : `${item.target}!${item.hint}`;
  const found = relation.relationships.find((each) => each.address === address || each.constraint === item.target);
  const target = document.relations.find(({ name }) => name === found?.target);
  if (found === undefined || target === undefined || found.schema !== undefined) return [];
  const inner = { path: [...path, item.alias ?? item.target], select: item.select, relation: target };
  const levels = listLevels(inner, document);
  return found.isToOne ? levels.slice(1) : levels;
}

/** Returns the columns to order by after those of the request. */
function findOrder({ path, select, relation }: Level, query: QueryParams): readonly string[] {
  const isHere = ({ path: other }: { readonly path: readonly string[] }): boolean => other.join('.') === path.join('.');
  const terms = query.orders.find(isHere)?.value ?? [];
  const isOrdered = (column: string): boolean =>
    terms.some(
      ({ relation: embed, field }) => embed === undefined && field.path.length === 0 && field.column === column,
    );
  const isGrouped = select.some(isAggregate) || terms.some(({ aggregate }) => aggregate !== undefined);
  const distinct = query.distinct.find(isHere)?.value;
  const columns =
    isGrouped || query.having.some(isHere) || distinct?.kind === 'rows'
      ? listSelected(select, relation)
      : listKey(relation);
  return columns.filter((column) => !isOrdered(column));
}

function isAggregate(item: SelectItem): boolean {
  return item.kind === 'countRows' || (item.kind === 'column' && item.aggregate !== undefined);
}

/** Only these have an order in groups and in different rows. */
function listSelected(select: readonly SelectItem[], relation: DescribedRelation): readonly string[] {
  const sortable = listSortable(relation);
  if (select.some(({ kind }) => kind === 'all')) return sortable;
  return select.flatMap((item) => {
    if (item.kind !== 'column' || item.aggregate !== undefined || item.cast !== undefined) return [];
    const { column, path } = item.field;
    return path.length === 0 && sortable.includes(column) ? [column] : [];
  });
}

function listKey(relation: DescribedRelation): readonly string[] {
  const sortable = listSortable(relation);
  const { key } = relation;
  return key.length > 0 && key.every((column) => sortable.includes(column)) ? key : sortable;
}

function listSortable(relation: DescribedRelation): readonly string[] {
  return readableColumns(relation)
    .filter(isSortable)
    .map(({ name }) => name);
}

/** PostgreSQL has no order for some types, such as `json` and `point`. */
function isSortable({ type }: DescribedColumn): boolean {
  if (type.category === 'json') return type.name.startsWith('jsonb');
  return !['geometry', 'composite', 'other', 'fullText'].includes(type.category);
}

function appendOrder(
  parameters: readonly Parameter[],
  path: readonly string[],
  columns: readonly string[],
): readonly Parameter[] {
  const name = [...path.map(renderName), 'order'].join('.');
  const terms = columns.map(renderName).join(',');
  const given = parameters.findIndex(([other]) => other === name);
  if (given === -1) return [...parameters, [name, terms]];
  return parameters.map((parameter, index) =>
    index === given && parameter[1] !== '' ? [name, `${parameter[1]},${terms}`] : parameter,
  );
}
