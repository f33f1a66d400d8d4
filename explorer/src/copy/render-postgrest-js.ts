// Renders a request as JavaScript that uses `@supabase/postgrest-js`. Conditions without a method of their own use
// `filter` and `or`; requests that the library cannot send use `fetch`.
import type { Addressed, Filter, Operation, OrderTerm } from '../../../src/request/query/query-params.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { ModelParams, QueryModel } from '../url-state/query-model.ts';
import { renderSelect } from '../../../src/request/query/render-query.ts';
import {
  type Call,
  columnOf,
  hasFurtherForms,
  isAllColumns,
  isJson,
  isList,
  isMap,
  isPlainList,
  keepBlanks,
  type Literal,
  orderedColumn,
  rangeCalls,
  renderAlternatives,
  splitOperation,
  toLiteral,
  withTable,
} from './client-calls.ts';
import { acceptOf, type CopiedRequest } from './copied-request.ts';
import { readWrite, WRITE_HEADERS } from './copied-write.ts';
import { type LiteralStyle, renderJson } from './json-literal.ts';
import { quoteJavaScript, renderKey } from './quoting.ts';
import { renderFetch, renderHeaders } from './render-fetch.ts';
import { jsWriteCalls } from './write-calls.ts';

export function renderPostgrestJs(copied: CopiedRequest): string {
  const calls = toCalls(copied);
  if (calls === undefined) return `// postgrest-js has no method for this request.\n${renderFetch(copied)}`;
  const headers = renderHeaders(copied, WRITE_HEADERS);
  const options = [
    ...(headers === undefined ? [] : [`headers: ${headers}`]),
    ...(copied.schema === undefined ? [] : [`schema: ${quoteJavaScript(copied.schema)}`]),
  ];
  const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return `import { PostgrestClient } from '@supabase/postgrest-js';

const client = new PostgrestClient(${quoteJavaScript(copied.base.replace(/\/$/u, ''))}${more});
const { data, error } = await client
${calls.map((call) => `  ${renderCall(call)}`).join('\n')};
`;
}

/** Returns undefined if the library cannot send the request. */
function toCalls(copied: CopiedRequest): readonly Call[] | undefined {
  const write = copied.request.method === 'GET' ? undefined : readWrite(copied);
  if (write !== undefined) return jsWriteCalls(write, readingCalls(write.model.params));
  const model = parseUrl(copied.request.url);
  const accept = acceptOf(copied) ?? 'application/json';
  if (!model.ok || copied.request.method !== 'GET') return undefined;
  if (accept !== 'application/json' && accept !== 'text/csv') return undefined;
  if (hasFurtherForms(model.value.params)) return undefined;
  const start = startCalls(model.value);
  const end: readonly Call[] = accept === 'text/csv' ? [{ name: 'csv', args: [] }] : [];
  return start && [...start, ...readingCalls(model.value.params), ...end];
}

function startCalls(model: QueryModel): readonly Call[] | undefined {
  const { path, params } = model;
  const select = keepBlanks(renderSelect(params.select));
  if (select === undefined) return undefined;
  // The library does not encode the name.
  const name = /[%/?#\\]/u.test(path.name) ? encodeURIComponent(path.name) : path.name;
  const selected: Call = { name: 'select', args: isAllColumns(model) ? [] : [select] };
  if (path.kind === 'relation') return [{ name: 'from', args: [name] }, selected];
  const call = callOf(name, params.args);
  return isAllColumns(model) ? [call] : [call, selected];
}

/** Repeated arguments go into the URL, because an object cannot repeat a key. */
function callOf(name: string, args: ModelParams['args']): Call {
  const isRepeated = new Set(args.map(([key]) => key)).size < args.length;
  const query = args.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const target = isRepeated ? `${name}?${query}` : name;
  const options = [['get', true]] as const;
  return { name: 'rpc', args: [target, new Map(isRepeated ? [] : args)], options };
}

function readingCalls({ filters, logic, orders, ranges }: ModelParams): readonly Call[] {
  return [
    ...filters.map((filter) => filterCall(filter)),
    ...logic.map(({ path, value }) =>
      withTable({ name: 'or', args: [renderAlternatives(value)] }, path, 'referencedTable'),
    ),
    ...orders.flatMap(({ path, value }) => value.map((term) => withTable(orderCall(term), path, 'referencedTable'))),
    ...ranges.flatMap(({ path, value }) => rangeCalls(value).map((call) => withTable(call, path, 'referencedTable'))),
  ];
}

const METHODS: Readonly<Record<string, string>> = {
  eq: 'eq',
  neq: 'neq',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  like: 'like',
  ilike: 'ilike',
  match: 'regexMatch',
  imatch: 'regexIMatch',
  cs: 'contains',
  cd: 'containedBy',
  ov: 'overlaps',
  sl: 'rangeLt',
  sr: 'rangeGt',
  nxr: 'rangeLte',
  nxl: 'rangeGte',
  adj: 'rangeAdjacent',
};
/** Operators whose methods accept numbers; the other methods accept only text. */
const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte']);

function filterCall(filter: Addressed<Filter>): Call {
  const column = columnOf(filter);
  const { operator, operand } = splitOperation(filter.value);
  if (filter.value.negated) return { name: 'not', args: [column, operator, operand === 'null' ? null : operand] };
  return operationCall(column, filter.value.operation) ?? { name: 'filter', args: [column, operator, operand] };
}

/** Returns undefined if the operator has no method of its own. */
function operationCall(column: string, operation: Operation): Call | undefined {
  switch (operation.kind) {
    case 'compare': {
      const name = METHODS[operation.operator];
      if (name === undefined || operation.quantifier !== undefined) return undefined;
      const { value } = operation;
      return { name, args: [column, COMPARISONS.has(operation.operator) ? toLiteral(value) : value] };
    }
    case 'compareColumn':
    case 'literalText':
      return undefined;
    case 'in':
      return isPlainList(operation.values)
        ? { name: 'in', args: [column, operation.values.map((value) => toLiteral(value))] }
        : undefined;
    case 'is':
      return { name: 'is', args: [column, IS_LITERALS.get(operation.value) ?? operation.value] };
    case 'isDistinct':
      return { name: 'isDistinct', args: [column, toLiteral(operation.value)] };
    case 'fullText': {
      const type = TEXT_SEARCH_TYPES[operation.operator];
      const { language, value } = operation;
      const options = [...(language === undefined ? [] : [['config', language] as const]), ...type];
      return { name: 'textSearch', args: [column, value], options };
    }
  }
}

const IS_LITERALS: ReadonlyMap<string, Literal> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
] as const);
const TEXT_SEARCH_TYPES = {
  fts: [],
  plfts: [['type', 'plain']],
  phfts: [['type', 'phrase']],
  wfts: [['type', 'websearch']],
} as const;

function orderCall(term: OrderTerm): Call {
  const options = [
    ...(term.direction === 'desc' ? [['ascending', false] as const] : []),
    ...(term.nulls === undefined ? [] : [['nullsFirst', term.nulls === 'nullsfirst'] as const]),
  ];
  return { name: 'order', args: [orderedColumn(term)], options };
}

function renderCall({ name, args, options = [] }: Call): string {
  const all = options.length === 0 ? args : [...args, new Map(options)];
  return `.${name}(${all.map((value) => renderLiteral(value)).join(', ')})`;
}

const STYLE: LiteralStyle = {
  text: quoteJavaScript,
  key: renderKey,
  words: { null: 'null', true: 'true', false: 'false' },
  padding: ' ',
};

function renderLiteral(value: Literal): string {
  if (isJson(value)) return renderJson(value.json, STYLE, '  ');
  if (isMap(value)) {
    const entries = [...value].map(([key, item]) => `${renderKey(key)}: ${renderLiteral(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (isList(value)) return `[${value.map((item) => renderLiteral(item)).join(', ')}]`;
  return typeof value === 'string' ? quoteJavaScript(value) : String(value);
}
