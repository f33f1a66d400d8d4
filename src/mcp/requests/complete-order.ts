// Completes the order of a read, so that equal calls return rows in the same order and pages do not overlap: by the
// primary key, or by all columns that can be ordered if there is none.
import type { DescribedColumn, DescribedRelation, SchemaDocument } from '../../contract/schema-document.ts';
import type { QueryParams, SelectItem } from '../../request/query/query-params.ts';
import { readableColumns } from './describe.ts';
import { quoteName } from './query-arguments.ts';
import type { Parameter } from '../calls/send-request.ts';

/** @returns the parameters with a complete order at the top level, and in each to-many embed */
export function completeOrder(
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
  const name = [...path.map(quoteName), 'order'].join('.');
  const terms = columns.map(quoteName).join(',');
  const given = parameters.findIndex(([other]) => other === name);
  if (given === -1) return [...parameters, [name, terms]];
  return parameters.map((parameter, index) =>
    index === given && parameter[1] !== '' ? [name, `${parameter[1]},${terms}`] : parameter,
  );
}
