// Renders a request as Python that uses the synchronous client of the package `postgrest`. Conditions without a method
// of their own use `filter` and `or_`; requests that the library cannot send use its dependency `httpx`.
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
  renderCondition,
  splitOperation,
  tableOf,
  toLiteral,
  withTable,
} from './client-calls.ts';
import { absoluteUrl, acceptOf, type CopiedRequest, headersToState } from './copied-request.ts';
import { readWrite, WRITE_HEADERS } from './copied-write.ts';
import { type LiteralStyle, renderJson } from './json-literal.ts';
import { quotePython } from './quoting.ts';
import { pythonWriteCalls } from './write-calls.ts';

export function renderPython(copied: CopiedRequest): string {
  const calls = toCalls(copied);
  if (calls === undefined) return renderHttpx(copied);
  const headers = renderHeaders(copied, WRITE_HEADERS);
  const options = [
    quotePython(copied.base.replace(/\/$/u, '')),
    `schema=${quotePython(copied.schema ?? copied.defaultSchema)}`,
    ...(headers === undefined ? [] : [`headers=${headers}`]),
  ];
  return `${importsOf(copied)}from postgrest import SyncPostgrestClient

client = SyncPostgrestClient(${options.join(', ')})
response = (
    client
${[...calls, { name: 'execute', args: [] }].map((call) => `    ${renderCall(call)}`).join('\n')}
)
print(response.data)
`;
}

function renderHttpx(copied: CopiedRequest): string {
  const headers = renderHeaders(copied, []);
  const { method, body } = copied.request;
  const args = [
    quotePython(method),
    quotePython(absoluteUrl(copied)),
    ...(headers === undefined ? [] : [`headers=${headers}`]),
    ...(body === undefined ? [] : [`content=${quotePython(body)}.encode()`]),
  ];
  return `# The package postgrest has no method for this request.
${importsOf(copied)}import httpx

response = httpx.request(${args.join(', ')})
print(response.text)
`;
}

function importsOf({ token }: CopiedRequest): string {
  return token.kind === 'variable' ? 'import os\n\n' : '';
}

function renderHeaders(copied: CopiedRequest, without: readonly string[]): string | undefined {
  const { token } = copied;
  const stated = headersToState(copied)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${quotePython(name)}: ${quotePython(value)}`);
  const bearer = token.kind === 'variable' ? `f"Bearer {os.environ['TOKEN']}"` : undefined;
  const own = token.kind === 'text' ? quotePython(`Bearer ${token.text}`) : bearer;
  const all = own === undefined ? stated : [...stated, `"Authorization": ${own}`];
  return all.length === 0 ? undefined : `{${all.join(', ')}}`;
}

/** Returns undefined if the library cannot send the request. */
function toCalls(copied: CopiedRequest): readonly Call[] | undefined {
  const write = copied.request.method === 'GET' ? undefined : readWrite(copied);
  if (write !== undefined) return pythonWriteCalls(write, readingCalls(write.model.params));
  const model = parseUrl(copied.request.url);
  const accept = acceptOf(copied) ?? 'application/json';
  if (!model.ok || copied.request.method !== 'GET' || model.value.path.name.includes('/')) return undefined;
  if (accept !== 'application/json' && accept !== 'text/csv') return undefined;
  if (model.value.params.logic.some(({ path }) => NEEDS_QUOTES.test(tableOf(path) ?? ''))) return undefined;
  if (hasFurtherForms(model.value.params)) return undefined;
  const start = startCalls(model.value);
  const end: readonly Call[] = accept === 'text/csv' ? [{ name: 'csv', args: [] }] : [];
  return start && [...start, ...readingCalls(model.value.params), ...end];
}

/** The library quotes values with these characters, but does not escape quotes in them. */
const NEEDS_QUOTES = /[,:()]/u;

function startCalls(model: QueryModel): readonly Call[] | undefined {
  const { path, params } = model;
  const select = keepBlanks(renderSelect(params.select));
  if (select === undefined) return undefined;
  const selected: Call = { name: 'select', args: [isAllColumns(model) ? '*' : select] };
  if (path.kind === 'relation') return [{ name: 'from_', args: [path.name] }, selected];
  const call: Call = { name: 'rpc', args: [path.name, new Map(groupArguments(params.args))], options: [['get', true]] };
  return isAllColumns(model) ? [call] : [call, selected];
}

function groupArguments(args: ModelParams['args']): readonly (readonly [string, string | readonly string[]])[] {
  return [...new Set(args.map(([name]) => name))].map((name) => {
    const values = args.filter(([other]) => other === name).map(([, value]) => value);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
}

function readingCalls({ filters, logic, orders, ranges }: ModelParams): readonly Call[] {
  return [
    ...filters.map((filter) => filterCall(filter)),
    ...logic.map(({ path, value }) =>
      withTable({ name: 'or_', args: [renderAlternatives(value)] }, path, 'reference_table'),
    ),
    ...orders.flatMap(({ path, value }) => value.map((term) => withTable(orderCall(term), path, 'foreign_table'))),
    ...ranges.flatMap(({ path, value }) => rangeCalls(value).map((call) => withTable(call, path, 'foreign_table'))),
  ];
}

const METHODS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike']);

function filterCall(filter: Addressed<Filter>): Call {
  const column = columnOf(filter);
  if (NEEDS_QUOTES.test(column)) {
    return withTable({ name: 'or_', args: [renderCondition(filter.value)] }, filter.path, 'reference_table');
  }
  const call = operationCall(column, filter.value.operation);
  const { operator, operand } = splitOperation(filter.value);
  const { name, args } = call ?? { name: 'filter', args: [column, operator, operand] };
  return { name: filter.value.negated ? `not_.${name}` : name, args };
}

/** Returns undefined if the operator has no method of its own. */
function operationCall(column: string, operation: Operation): Call | undefined {
  if (operation.kind === 'compare') {
    const isKnown = METHODS.has(operation.operator) && operation.quantifier === undefined;
    return isKnown ? { name: operation.operator, args: [column, toLiteral(operation.value)] } : undefined;
  }
  if (operation.kind === 'in' && isPlainList(operation.values)) {
    return { name: 'in_', args: [column, operation.values.map((value) => toLiteral(value))] };
  }
  if (operation.kind === 'is')
    return { name: 'is_', args: [column, operation.value === 'null' ? null : operation.value] };
  return undefined;
}

function orderCall(term: OrderTerm): Call {
  const options = [
    ...(term.direction === 'desc' ? [['desc', true] as const] : []),
    ...(term.nulls === undefined ? [] : [['nullsfirst', term.nulls === 'nullsfirst'] as const]),
  ];
  return { name: 'order', args: [orderedColumn(term)], options };
}

function renderCall({ name, args, options = [] }: Call): string {
  const named = options.map(([option, value]) => `${option}=${renderLiteral(value)}`);
  return `.${name}(${[...args.map((value) => renderLiteral(value)), ...named].join(', ')})`;
}

const STYLE: LiteralStyle = {
  text: quotePython,
  key: quotePython,
  words: { null: 'None', true: 'True', false: 'False' },
  padding: '',
};

function renderLiteral(value: Literal): string {
  if (isJson(value)) return renderJson(value.json, STYLE, '    ');
  if (isMap(value))
    return `{${[...value].map(([key, item]) => `${quotePython(key)}: ${renderLiteral(item)}`).join(', ')}}`;
  if (isList(value)) return `[${value.map((item) => renderLiteral(item)).join(', ')}]`;
  if (typeof value === 'string') return quotePython(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : String(value);
}
