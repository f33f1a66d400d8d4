// Gives reads of a relation the order of its primary key if they have none, so that rows keep their place when they are
// read again, and no page repeats or misses a row.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { SelectItem } from '../../../src/request/query/query-params.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { columnField } from './edit-columns.ts';
import { orderAt, setOrder } from './edit-order.ts';
import { parseUrl } from './parse-url.ts';
import type { Place } from './place.ts';
import type { QueryModel } from './query-model.ts';
import { encodeValue } from './readable-text.ts';
import { renderName } from '../../../src/request/query/render-names.ts';

const ORDER = /[?&]order=/u;

/** Returns whether only the schema can tell if the place needs an order. */
export function mayLackOrder(place: Place): boolean {
  return place.kind === 'request' && !place.url.startsWith('/rpc/') && !ORDER.test(place.url);
}

/** Adds the order to the text of the URL, which otherwise stays as the user wrote it, or removes it from groups. */
export function withStableOrder(place: Place, schema: SchemaIndex): Place {
  if (place.kind !== 'request') return place;
  const parsed = parseUrl(place.url, schema.document.dialect);
  if (!parsed.ok || parsed.value.path.kind !== 'relation') return place;
  const relation = schema.relations.get(parsed.value.path.name);
  if (relation === undefined || !hasReadableKey(relation)) return place;
  const order = `order=${encodeValue(relation.key.map(renderName).join(','))}`;
  const { params } = parsed.value;
  if (isGrouped(params)) return { ...place, url: withoutParameter(place.url, order) };
  return ORDER.test(place.url) || isSingleRow(relation.key, params)
    ? place
    : { ...place, url: withParameter(place.url, order) };
}

/** Ends the order of the top level with the primary key: pages of rows that the order leaves equal could repeat some. */
export function endOrderWithKey(model: QueryModel, schema: SchemaIndex): QueryModel {
  const relation = model.path.kind === 'relation' ? schema.relations.get(model.path.name) : undefined;
  if (relation === undefined || !hasReadableKey(relation) || isGrouped(model.params)) return model;
  const terms = orderAt(model, []);
  const isOrdered = (name: string): boolean =>
    terms.some(({ relation: embed, field }) => embed === undefined && field.column === name && field.path.length === 0);
  const rest = relation.key.filter((name) => !isOrdered(name)).map(columnField);
  const added = rest.map((field) => ({ relation: undefined, field, direction: undefined, nulls: undefined }));
  return added.length === 0 ? model : setOrder(model, [], [...terms, ...added]);
}

function withParameter(url: string, parameter: string): string {
  const joint = url.includes('?') ? (/[?&]$/u.test(url) ? '' : '&') : '?';
  return `${url}${joint}${parameter}`;
}

function withoutParameter(url: string, parameter: string): string {
  const [path = '', ...query] = url.split('?');
  const others = query
    .join('?')
    .split('&')
    .filter((one) => one !== parameter);
  return [path, others.join('&')].filter((part) => part !== '').join('?');
}

function hasReadableKey({ key, columns }: DescribedRelation): boolean {
  const readable = new Set(columns.filter(({ may }) => may.select).map(({ name }) => name));
  return key.length > 0 && key.every((name) => readable.has(name));
}

/** Groups and different rows have no key, and the order of a page by token is that of its token. */
function isGrouped({ select, having, distinct, orders, pages }: QueryModel['params']): boolean {
  const isTop = ({ path }: { readonly path: readonly string[] }): boolean => path.length === 0;
  const isByAggregate = orders.some((one) => isTop(one) && one.value.some(({ aggregate }) => aggregate !== undefined));
  return hasAggregates(select) || isByAggregate || having.some(isTop) || distinct.some(isTop) || pages.some(isTop);
}

/** Aggregates of a spread group the rows around it. */
function hasAggregates(items: readonly SelectItem[]): boolean {
  return items.some((item) => {
    if (item.kind === 'column') return item.aggregate !== undefined;
    return item.kind === 'countRows' || (item.kind === 'spread' && hasAggregates(item.select));
  });
}

/** Returns whether the filters fix the whole key. */
function isSingleRow(key: readonly string[], { filters }: QueryModel['params']): boolean {
  return key.every((name) =>
    filters.some(
      ({ path, value: { field, negated, operation } }) =>
        path.length === 0 &&
        field.column === name &&
        field.path.length === 0 &&
        !negated &&
        operation.kind === 'compare' &&
        operation.operator === 'eq' &&
        operation.quantifier === undefined,
    ),
  );
}
