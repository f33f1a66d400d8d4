// Says which values a column accepts, or how to order by an aggregate, when the database has rejected a request. A number
// out of range in a filter has no hint (R69).
import { type Column, findRelation, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';
import { isColumnVisible, type VisibleNames } from '../../catalog/visible-names.ts';
import type { HttpRequest } from '../../contract/http.ts';
import type { DatabaseReport } from '../../errors/api-error.ts';
import { splitQuery } from '../../request/query/split-query.ts';
import { parseTarget } from '../../request/target.ts';
import type { PlannedRows } from '../../plan/actions/action-plan.ts';

export interface ValueContext {
  readonly request: Pick<HttpRequest, 'path' | 'rawQuery'>;
  readonly cache: SchemaCache;
  /** Returns the names that the role may use. */
  readonly findVisible: () => Promise<VisibleNames>;
}

const ENUM = /^invalid input value for enum (?<type>[^:]+):/u;
const RANGE = /out of range for type (?<type>smallint|integer|bigint)$/u;

/** @returns undefined if the request gives no value to a column of that type */
export async function findValueHint(
  { sqlstate, message }: DatabaseReport,
  action: PlannedRows,
  { request, cache, findVisible }: ValueContext,
): Promise<string | undefined> {
  const pattern = sqlstate === '22P02' ? ENUM : sqlstate === '22003' ? RANGE : undefined;
  const type = pattern?.exec(message)?.groups?.['type'];
  const relation = findTarget(action, request.path, cache);
  if (type === undefined || relation === undefined) return undefined;
  const filtered = pattern === ENUM ? splitQuery(request.rawQuery).map(({ name }) => name) : [];
  const used = new Set([
    ...(action.kind === 'mutate' ? (action.payload?.columns.map(({ column }) => column.name) ?? []) : []),
    ...filtered,
  ]);
  // PostgreSQL's message names the schema of a type only where it is not in the search path.
  const typed = [...relation.columns.values()].filter(
    (column) =>
      used.has(column.name) &&
      [column.type, column.nominalType].some((own) => own === type || own.endsWith(`.${type}`)),
  );
  if (typed.length === 0) return undefined;
  const visible = await findVisible();
  const columns = typed.filter(({ name }) => isColumnVisible(visible, relation.name, name));
  return pattern === ENUM ? describeLabels(columns) : describeRange(columns, type);
}

function findTarget(action: PlannedRows, path: string, cache: SchemaCache): Relation | undefined {
  if (action.kind === 'mutate') return action.relation;
  const target = parseTarget(path);
  if (action.kind === 'call' || !target.ok || target.value.kind !== 'relation') return undefined;
  return findRelation(cache, { schema: action.schema, name: target.value.name });
}

/** Longer lists are not repeated. */
const MAX_LABELS = 30;

function describeLabels([column, ...others]: readonly Column[]): string | undefined {
  const labels = column?.enumLabels ?? [];
  if (column === undefined || others.length > 0 || labels.length === 0 || labels.length > MAX_LABELS) return undefined;
  return `'${column.name}' accepts ${labels.map((label) => `'${label}'`).join(', ')}`;
}

const RANGES: Readonly<Record<string, string>> = {
  smallint: '-32768 to 32767',
  integer: '-2147483648 to 2147483647',
  bigint: '-9223372036854775808 to 9223372036854775807',
};

function describeRange(columns: readonly Column[], type: string): string | undefined {
  const names = columns.map(({ name }) => `'${name}'`);
  if (names.length === 0) return undefined;
  const verb = names.length === 1 ? 'accepts' : 'accept';
  return `${names.join(', ')} ${verb} numbers from ${RANGES[type]}`;
}

/**
 * Finds an order by the key of an aggregate in `select`: `select=total.sum()&order=sum`. If an alias orders, what does not
 * exist is another use of that name.
 */
export function findAggregateOrderHint(column: string, rawQuery: string, mayOrderByAlias: boolean): string | undefined {
  const parameters = splitQuery(rawQuery);
  const select = parameters.find(({ name }) => name === 'select')?.value ?? '';
  const order = parameters.find(({ name }) => name === 'order')?.value ?? '';
  const term = order.split(',').find((each) => each.split('.')[0] === column);
  const aggregates = select.split(',').map((item) => AGGREGATE.exec(item)?.groups ?? {});
  const meant = aggregates.find(
    ({ alias, call }) => (mayOrderByAlias && alias !== undefined ? '' : (alias ?? call)) === column,
  );
  if (term === undefined || meant === undefined) return undefined;
  return `Order by the aggregate itself: write order=${order.replace(term, meant['item'] + term.slice(column.length))}`;
}

const AGGREGATE = /^(?:(?<alias>[\w$]+):)?(?<item>(?:[\w$]+\.)?(?<call>[a-z_]+)\(\))(?:::\w+)?$/u;
