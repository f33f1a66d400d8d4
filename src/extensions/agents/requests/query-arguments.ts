// Turns structured arguments into parameters of the query string. The parser of the API checks what they contain.
import { OPERATOR_NAMES, TEXT_OPERATORS } from '../../../contract/operators.ts';
import type { AppConfig } from '../../../config/table/app-config.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { quoteText } from '../../../request/query/render-names.ts';
import { splitQuery } from '../../../request/query/split-query.ts';
import type { JsonObject } from '../../../util/json-object.ts';
import type { Parameter, ToolFailure } from '../calls/send-request.ts';

export interface FilterArgument {
  readonly column: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly not?: boolean;
}

interface OrderArgument {
  readonly column: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** Specifies the rows to read, as structured arguments or as a query string. */
export interface ReadArguments {
  readonly select?: readonly string[];
  readonly filters?: readonly FilterArgument[];
  readonly order?: readonly OrderArgument[];
  readonly limit?: number;
  readonly offset?: number;
  readonly query?: string;
}

const QUOTING = 'Names with dots and other special characters take double quotes';

export function filtersSchema({ extensions }: AppConfig): JsonObject {
  const operators = extensions.text ? [...OPERATOR_NAMES, ...TEXT_OPERATORS] : OPERATOR_NAMES;
  return {
    type: 'array',
    description:
      'Conditions that all rows fulfil. For a column of related rows, authors.name, they choose among the related rows',
    items: {
      type: 'object',
      properties: {
        column: { type: 'string', minLength: 1, description: `Column, or a JSON path such as data->>name. ${QUOTING}` },
        operator: {
          type: 'string',
          enum: operators,
          description:
            'For example eq, neq, gt, gte, lt, lte, in (a list), is (null, true, false), ilike (* matches any text)',
        },
        value: {
          description: 'Value to compare with; a list for in, cs, cd and ov. Write long numbers as strings',
          type: ['string', 'number', 'boolean', 'null', 'array'],
          items: { type: ['string', 'number', 'boolean', 'null'] },
        },
        not: { type: 'boolean', description: 'Negates the condition' },
      },
      required: ['column', 'operator'],
      additionalProperties: false,
    },
  };
}

export function readProperties(config: AppConfig): JsonObject {
  return {
    select: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: `Columns (name), renamed (alias:name), cast (name::text), JSON paths (data->>key), and related rows: authors(name,born). authors!inner(name) omits rows without related ones. ${
        config.dbAggregatesEnabled
          ? 'count() and price.sum(), avg, min, max are computed for each group of the others. '
          : ''
      }${QUOTING}`,
    },
    filters: filtersSchema(config),
    order: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          column: { type: 'string', minLength: 1 },
          direction: { type: 'string', enum: ['asc', 'desc'] },
          nulls: { type: 'string', enum: ['first', 'last'] },
        },
        required: ['column'],
        additionalProperties: false,
      },
    },
    limit: {
      type: 'integer',
      minimum: 0,
      description: `Maximum number of rows (default and maximum: ${config.mcpMaxRows})`,
    },
    offset: { type: 'integer', minimum: 0, description: 'Number of rows to skip' },
    query: {
      type: 'string',
      description:
        'Replaces select, filters and order: a query string as in the URL of the API, such as select=title&or=(year.lt.1900,year.gt.2000)&order=year.desc',
    },
  };
}

const TWO_FORMS: ToolFailure = {
  message: 'query cannot be combined with select, filters or order',
  hint: 'Pass either the query string or the other arguments',
};

/** @returns a failure if the query string is combined with the arguments that it replaces */
export function buildParameters(given: ReadArguments): Result<readonly Parameter[], ToolFailure> {
  const { select, filters = [], order, query } = given;
  if (query !== undefined)
    return select === undefined && filters.length === 0 && order === undefined
      ? splitParameters(query)
      : fail(TWO_FORMS);
  return ok([
    ...(select === undefined || select.length === 0 ? [] : [['select', select.join(',')] as const]),
    ...filters.map(buildFilter),
    ...(order === undefined || order.length === 0 ? [] : [['order', order.map(renderTerm).join(',')] as const]),
  ]);
}

export function buildFilter({ column, operator, value, not = false }: FilterArgument): Parameter {
  const isNull = (value === null || value === undefined) && NULL_OPERATORS.has(operator);
  const negated = not !== (isNull && operator !== 'eq');
  const condition = isNull ? 'is.null' : `${operator}.${renderValue(operator, value)}`;
  // Quotes keep a keyword from being read as a parameter that is no filter.
  return [column.replace(KEYWORD, '"$&"'), negated ? `not.${condition}` : condition];
}

/** Operators that compare with null like `is`. */
const NULL_OPERATORS: ReadonlySet<string> = new Set(['eq', 'neq', 'isdistinct']);

/** Parameters that are not filters, at the top level or in an embed. */
const KEYWORD = /(?<=^|\.)(?:after|and|before|columns|distinct|limit|merge|offset|on_conflict|or|order|select)$/u;

/** Rejects a parameter without a value: the API would ignore it and return more rows than the agent asked for. */
function splitParameters(query: string): Result<readonly Parameter[], ToolFailure> {
  const parameters: Parameter[] = [];
  for (const { name, value } of splitQuery(query.startsWith('?') ? query.slice(1) : query)) {
    if (value === undefined)
      return fail({
        message: 'query must consist of parameters with a value: name=value&name=value',
        details: `"${name}" has no value`,
      });
    parameters.push([name, value]);
  }
  return ok(parameters);
}

function renderTerm({ column, direction, nulls }: OrderArgument): string {
  return [column, direction, nulls && `nulls${nulls}`].filter((part) => part !== undefined).join('.');
}

function renderValue(operator: string, value: unknown): string {
  if (!Array.isArray(value)) return operator === 'in' ? `(${renderItem(value)})` : renderScalar(value);
  const items = value.map(renderItem).join(',');
  return operator === 'in' ? `(${items})` : `{${items}}`;
}

function renderScalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function renderItem(value: unknown): string {
  return typeof value === 'string' ? quoteText(value) : renderScalar(value);
}
