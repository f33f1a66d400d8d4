// Labels of the rows that foreign keys reference: which columns have them, the request for them, and its rows.
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { EmbedItem, SelectItem } from '../../../src/request/query/query-params.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import { labelColumns } from '../schema/example.ts';
import { readableTarget } from '../schema/readable-target.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { columnItem } from '../url-state/edit-columns.ts';
import { parseAddress } from '../url-state/edit-embeds.ts';
import { createModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import type { Level } from './describe-level.ts';
import type { JsonElements } from './json-elements.ts';
import type { JsonObject } from './json-value.ts';
import { whereKeys } from './row-keys.ts';
import { labelOfRow } from './row-label.ts';
import { type RowKey, textOf } from './row-links.ts';

export interface LabeledColumn {
  /** Name in the response. */
  readonly name: string;
  /** The foreign key. */
  readonly column: string;
  /** The columns of the referenced relation. */
  readonly labels: readonly string[];
  readonly address: string;
}

/** Lists the foreign keys of one column whose referenced row has a readable label other than the key itself. */
export function listLabeledColumns({ relation, columns }: Level, schema: SchemaIndex): readonly LabeledColumn[] {
  if (relation === undefined || relation.key.length === 0) return [];
  return [...columns].flatMap(([name, { source }]) => {
    const found = source && findReference(relation, source.name);
    const target = found && readableTarget(found, schema);
    const labels = target === undefined ? [] : labelColumns(target).map((column) => column.name);
    if (source === undefined || found === undefined || labels.length === 0) return [];
    if (found.columns.some(([, other]) => labels.includes(other))) return [];
    return [{ name, column: source.name, labels, address: found.address }];
  });
}

function findReference(relation: DescribedRelation, column: string): DescribedRelationship | undefined {
  if (relation.key.length === 1 && relation.key[0] === column) return undefined;
  return relation.relationships.find(
    ({ kind, isToOne, columns }) =>
      isToOne && kind !== 'computed' && columns.length === 1 && columns[0]?.[0] === column,
  );
}

/** Requests the labels of these rows, for all columns at once. */
export function labelRequest(
  relation: DescribedRelation,
  columns: readonly LabeledColumn[],
  keys: readonly RowKey[],
): OutgoingRequest {
  const model = createModel({ kind: 'relation', name: relation.name });
  const select = columns.flatMap((column, index): readonly SelectItem[] => {
    const embeds = embedLabel(column, index);
    return embeds.length === 0 ? [] : [columnItem(column.column), ...embeds];
  });
  const url = renderUrl({ ...model, params: { ...model.params, select, ...whereKeys(relation, keys) } });
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

/** Embeds the label of a column. @param index of the column among those whose labels are read together */
export function embedLabel({ address, labels }: LabeledColumn, index: number): readonly EmbedItem[] {
  const embed = parseAddress(address);
  return embed === undefined ? [] : [{ ...embed, alias: aliasOf(index), select: labels.map(columnItem) }];
}

/** Labels by name in the response, and by the text of the foreign key. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function readLabels(columns: readonly LabeledColumn[], elements: Pick<JsonElements, 'count' | 'at'>): Labels {
  const found = columns.map(() => new Map<string, string>());
  for (let row = 0; row < elements.count; row += 1) {
    const value = elements.at(row);
    const members = new Map(value.kind === 'object' ? value.entries : []);
    for (const [index, column] of columns.entries()) {
      const key = textOf(members.get(column.column) ?? { kind: 'null' });
      const target = members.get(aliasOf(index));
      const label = target?.kind === 'object' ? labelOfRow(column.labels, target) : undefined;
      if (key !== undefined && label !== undefined) found[index]?.set(key, label);
    }
  }
  return new Map(columns.map(({ name }, index) => [name, found[index] ?? new Map()]));
}

/** Removes the embedded labels from a row. */
export function withoutLabels(columns: readonly LabeledColumn[], row: JsonObject): JsonObject {
  const aliases = new Set(columns.map((_, index) => aliasOf(index)));
  return columns.length === 0 ? row : { ...row, entries: row.entries.filter(([name]) => !aliases.has(name)) };
}

function aliasOf(index: number): string {
  return `label_${index}`;
}
