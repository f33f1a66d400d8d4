// A column with a foreign key → how rows of the relation that it points to are searched: by which columns, by which request,
// and what is read from the answer.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';

export interface LookUp {
  readonly relation: string;
  /** The column whose value is taken. */
  readonly key: DescribedColumn;
  /** By which rows are searched and shown. */
  readonly texts: readonly string[];
}

export interface LookUpRow {
  readonly value: string;
  readonly label: string;
}

const MOST_TEXTS = 2;
const MOST_ROWS = 20;

/** undefined where the column is no foreign key of its own, or the role may not read what it points to. */
export function findLookUp(schema: SchemaIndex, from: DescribedRelation, column: string): LookUp | undefined {
  for (const { kind, schema: other, columns, target } of from.relationships) {
    const [pair] = columns;
    const isOwnKey = kind === 'manyToOne' || kind === 'oneToOne';
    if (!isOwnKey || other !== undefined || columns.length !== 1 || pair?.[0] !== column) continue;
    const relation = schema.relations.get(target);
    const key = relation?.columns.find(({ name }) => name === pair[1]);
    if (relation?.may.select && key?.may.select) return { relation: target, key, texts: textsOf(relation, key.name) };
  }
  return undefined;
}

function textsOf({ columns }: DescribedRelation, key: string): readonly string[] {
  return columns
    .filter(({ name, type, may, isComputed }) => {
      return name !== key && type.category === 'text' && !type.isArray && may.select && !isComputed;
    })
    .slice(0, MOST_TEXTS)
    .map(({ name }) => name);
}

/** Rows with the search text in a shown column, or with it as their key; the first ones without a search text. */
export function lookUpRequest({ relation, key, texts }: LookUp, search: string): OutgoingRequest {
  const parameters = new URLSearchParams();
  const names = [key.name, ...texts].map(quoteName);
  parameters.set('select', names.join(','));
  const conditions = search === '' ? [] : conditionsFor({ relation, key, texts }, search);
  if (conditions.length > 0) parameters.set('or', `(${conditions.join(',')})`);
  parameters.set('order', names.at(texts.length > 0 ? 1 : 0) ?? '');
  parameters.set('limit', String(MOST_ROWS));
  return {
    method: 'GET',
    url: `/${encodeURIComponent(relation)}?${parameters.toString().replaceAll('+', '%20')}`,
    headers: [['Accept', 'application/json']],
    body: undefined,
  };
}

function conditionsFor({ key, texts }: LookUp, search: string): readonly string[] {
  const isKey = key.type.category === 'text' || (key.type.category === 'number' && /^-?\d{1,9}$/u.test(search));
  return [
    ...texts.map((name) => `${quoteName(name)}.ilike.${quote(`*${search}*`)}`),
    ...(isKey ? [`${quoteName(key.name)}.eq.${quote(search)}`] : []),
  ];
}

function quoteName(name: string): string {
  return /^[a-z_]\w*$/u.test(name) ? name : quote(name);
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}

/** undefined where the answer is no list of rows. */
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
