// Shows changed rows in the result: reads them again in the shape of the request that is shown, and replaces them
// there, or adds them at the top. Runs the whole request again if that is impossible.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Addressed } from '../../../src/request/query/query-params.ts';
import { amendRows } from '../result/amend-rows.ts';
import { describeResult, type Level } from '../rows/describe-level.ts';
import { findElements, type JsonElements } from '../rows/json-elements.ts';
import { keyOf, type RowKey } from '../rows/row-links.ts';
import type { Store } from '../store/store.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { whereKeys } from '../rows/row-keys.ts';

export interface ChangedRow {
  /** Undefined for an inserted row. */
  readonly before: RowKey | undefined;
  readonly after: RowKey;
}

export async function showChanges(
  store: Store,
  relation: DescribedRelation,
  rows: readonly ChangedRow[],
): Promise<void> {
  const exchange = store.exchange.peek();
  const shown = readShown(store, relation);
  if (shown === undefined || rows.length === 0) return store.run();
  const after = rows.map((row) => row.after);
  const url = renderUrl(onlyKeys(shown.model, relation, after));
  const read = await store.send({ method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined });
  if (store.exchange.peek() !== exchange) return undefined;
  const found = read.kind === 'answered' && read.response.status === 200 ? findElements(read.response.text) : undefined;
  const changes = found && matchRows({ ...shown, found, rows });
  if (changes === undefined) return store.run();
  return store.amend((response) => amendRows(response, changes));
}

interface Shown {
  readonly model: QueryModel;
  readonly level: Level;
  readonly elements: JsonElements;
}

/** Returns undefined unless rows of the relation with their keys are shown as a table. */
function readShown({ place, schema, exchange }: Store, relation: DescribedRelation): Shown | undefined {
  const [at, known, shown] = [place.peek(), schema.peek(), exchange.peek()];
  if (at.kind !== 'request' || at.view !== 'table' || known.kind !== 'ready' || shown?.kind !== 'answered')
    return undefined;
  const model = parseUrl(at.url, known.value.document.dialect);
  const elements = shown.response.status < 300 ? findElements(shown.response.text) : undefined;
  if (!model.ok || model.value.path.name !== relation.name || elements === undefined) return undefined;
  return { model: model.value, level: describeResult(model.value, known.value), elements };
}

/** Replaces the conditions, order and page of the top level; those of embeds shape the rows and stay. */
function onlyKeys(model: QueryModel, relation: DescribedRelation, keys: readonly RowKey[]): QueryModel {
  const { params } = model;
  const where = whereKeys(relation, keys);
  return {
    ...model,
    params: {
      ...params,
      filters: [...ofEmbeds(params.filters), ...where.filters],
      logic: [...ofEmbeds(params.logic), ...where.logic],
      orders: ofEmbeds(params.orders),
      ranges: ofEmbeds(params.ranges),
    },
  };
}

function ofEmbeds<T>(items: readonly Addressed<T>[]): readonly Addressed<T>[] {
  return items.filter(({ path }) => path.length > 0);
}

interface Matched extends Pick<Shown, 'level' | 'elements'> {
  readonly found: JsonElements;
  readonly rows: readonly ChangedRow[];
}

/** Returns undefined if a row is missing on either side. */
function matchRows({ level, elements, found, rows }: Matched): Parameters<typeof amendRows>[1] | undefined {
  const texts = new Map(Array.from({ length: found.count }, (_, at) => [keyAt(found, at, level), found.textAt(at)]));
  const before = new Map(rows.map((row) => [idOf(row.before), idOf(row.after)]));
  const replaced = new Map<number, string>();
  for (let index = 0; index < elements.count && replaced.size < before.size; index += 1) {
    const text = texts.get(before.get(keyAt(elements, index, level)) ?? '');
    if (text !== undefined) replaced.set(index, text);
  }
  const inserted = rows.filter((row) => row.before === undefined).flatMap(({ after }) => texts.get(idOf(after)) ?? []);
  return replaced.size + inserted.length === rows.length ? { replaced, inserted } : undefined;
}

function keyAt(elements: JsonElements, index: number, level: Level): string {
  const row = elements.at(index);
  return row.kind === 'object' ? idOf(keyOf({ row, level })) : '';
}

function idOf(key: RowKey | undefined): string {
  return key === undefined ? '' : JSON.stringify(key);
}
