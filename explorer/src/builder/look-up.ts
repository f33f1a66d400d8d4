// Searches the rows that a foreign key can reference: chooses the columns, builds the request and reads the response.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Filter, Operation } from '../../../src/request/query/query-params.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { rankLabels } from '../schema/example.ts';
import { columnField, columnItem } from '../url-state/edit-columns.ts';
import { createModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { makeOperation } from './operators.ts';

export interface LookUp {
  readonly relation: string;
  /** The referenced column. */
  readonly key: DescribedColumn;
  /** Columns to search and display. */
  readonly texts: readonly string[];
}

export interface LookUpRow {
  readonly value: string;
  readonly label: string;
}

const MAX_TEXTS = 2;
const MAX_ROWS = 20;

/** Returns undefined if the column alone is not a foreign key, or the role cannot read the referenced column. */
export function findLookUp(schema: SchemaIndex, from: DescribedRelation, column: string): LookUp | undefined {
  for (const { kind, schema: other, columns, target } of from.relationships) {
    const [pair] = columns;
    const isToRow = kind === 'manyToOne' || kind === 'oneToOne';
    if (!isToRow || other !== undefined || columns.length !== 1 || pair?.[0] !== column) continue;
    const relation = schema.relations.get(target);
    const key = relation?.columns.find(({ name }) => name === pair[1]);
    // Both sides list a one-to-one relationship.
    if (kind === 'oneToOne' && isWholeKey(from, column) && !(relation && isWholeKey(relation, pair[1]))) continue;
    if (relation?.may.select && key?.may.select) return { relation: target, key, texts: textsOf(relation, key.name) };
  }
  return undefined;
}

function isWholeKey({ key }: DescribedRelation, column: string): boolean {
  return key.length === 1 && key[0] === column;
}

function textsOf({ columns }: DescribedRelation, key: string): readonly string[] {
  return rankLabels(columns.filter(({ name, may, isComputed }) => name !== key && may.select && !isComputed))
    .slice(0, MAX_TEXTS)
    .map(({ name }) => name);
}

/** Requests the rows whose displayed columns contain the search text or whose key equals it. */
export function lookUpRequest(lookUp: LookUp, search: string): OutgoingRequest {
  const contained = lookUp.texts.map((name) => filterBy(name, makeOperation({ kind: 'contains' }, [search])));
  if (search === '') return request(lookUp, []);
  return request(lookUp, isKey(lookUp, search) ? [...contained, isRow(lookUp, search)] : contained);
}

/** Requests the row with this key. */
export function rowRequest(lookUp: LookUp, key: string): OutgoingRequest {
  return request(lookUp, [isRow(lookUp, key)]);
}

/** Requests the rows with these keys, with the first text of each. */
export function rowsRequest(lookUp: LookUp, keys: readonly string[]): OutgoingRequest {
  const anyKey = filterBy(lookUp.key.name, { kind: 'in', values: keys });
  return request({ ...lookUp, texts: lookUp.texts.slice(0, 1) }, [anyKey], keys.length);
}

/** @param conditions combined with OR */
function request(
  { relation, key, texts }: LookUp,
  conditions: readonly Filter[],
  limit: number = MAX_ROWS,
): OutgoingRequest {
  const any = { kind: 'group', operator: 'or', negated: false, members: conditions } as const;
  const field = columnField(texts[0] ?? key.name);
  const { path, params } = createModel({ kind: 'relation', name: relation });
  const url = renderUrl({
    path,
    params: {
      ...params,
      select: [key.name, ...texts].map(columnItem),
      logic: conditions.length === 0 ? [] : [{ path: [], value: any }],
      orders: [{ path: [], value: [{ relation: undefined, field, direction: undefined, nulls: undefined }] }],
      ranges: [{ path: [], value: { limit, offset: undefined } }],
    },
  });
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

function isRow({ key }: LookUp, value: string): Filter {
  return filterBy(key.name, makeOperation({ kind: 'compare', operator: 'eq', quantifier: undefined }, [value]));
}

function filterBy(column: string, operation: Operation): Filter {
  return { kind: 'filter', field: columnField(column), negated: false, operation };
}

/** Returns whether a text is a valid value of the key. */
export function isKey({ key }: LookUp, text: string): boolean {
  const { category } = key.type;
  if (category === 'number') return /^-?\d{1,18}$/u.test(text);
  if (category === 'uuid') return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text);
  return category === 'text' && text !== '';
}

/** Returns undefined if the response is not a list of rows. */
export function readLookUp({ key, texts }: LookUp, exchange: Exchange): readonly LookUpRow[] | undefined {
  if (exchange.kind !== 'answered' || exchange.response.status >= 300) return undefined;
  const rows: unknown = JSON.parse(exchange.response.text);
  if (!Array.isArray(rows)) return undefined;
  return rows.map((row: Readonly<Record<string, unknown>>) => ({
    value: String(row[key.name]),
    label: texts
      .map((name) => row[name])
      .filter((value) => typeof value === 'string' && value !== '')
      .join(' · '),
  }));
}
