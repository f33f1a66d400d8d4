// The rows related to a row: the requests for their first rows, and the places that show all of them.
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import { describeResult } from '../rows/describe-level.ts';
import { embedLabel, type LabeledColumn, listLabeledColumns } from '../rows/foreign-labels.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { placeOfRow, textOf } from '../rows/row-links.ts';
import { readableTarget } from '../schema/readable-target.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { columnField, columnItem } from '../url-state/edit-columns.ts';
import { parseAddress } from '../url-state/edit-embeds.ts';
import { setOrder } from '../url-state/edit-order.ts';
import { setLimit } from '../url-state/edit-ranges.ts';
import { changeParams } from '../url-state/levels.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import { createModel, type QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { historyTime } from './history-table.ts';
import { readRequest, type RecordModel } from './record-model.ts';

export interface Related {
  readonly relationship: DescribedRelationship;
  readonly target: DescribedRelation;
  readonly request: OutgoingRequest;
  /** The request whose rows, or whose embeds named `embed`, are shown. */
  readonly model: QueryModel;
  readonly embed: string | undefined;
  /** Foreign keys of the rows whose labels are read with them. */
  readonly labeled: readonly LabeledColumn[];
  /** Values by column that make a row related; undefined if another table relates them. */
  readonly given: ReadonlyMap<string, string> | undefined;
  /** URL of all rows. */
  readonly allUrl: string;
}

/** Number of rows shown. */
export const SHOWN_ROWS = 5;
const SHOWN_CHANGES = 20;
const MAX_COLUMNS = 7;
const FIRST_ROWS = 50;

/** Lists relationships to many rows; leaves out those whose key the row does not have. */
export function listRelated(record: RecordModel, row: JsonObject, schema: SchemaIndex): readonly Related[] {
  return record.relation.relationships.flatMap((relationship) => {
    const target = relationship.isToOne ? undefined : readableTarget(relationship, schema);
    if (target === undefined) return [];
    const join = { record, relationship, target, schema };
    const related = relationship.columns.length > 0 ? filterTarget(join, row) : embedTarget(join);
    return related === undefined ? [] : [related];
  });
}

interface Join {
  readonly record: RecordModel;
  readonly relationship: DescribedRelationship;
  readonly target: DescribedRelation;
  readonly schema: SchemaIndex;
}

/** The rows whose foreign key references the row, which can be counted. */
function filterTarget({ relationship, target, schema }: Join, row: JsonObject): Related | undefined {
  const values: ReadonlyMap<string, JsonValue> = new Map(row.entries);
  const key = relationship.columns.map(([own, other]) => [other, textOf(values.get(own) ?? { kind: 'null' })] as const);
  const place = placeOfRow(target.name, key);
  const all = place && parseUrl(place.url);
  if (all?.ok !== true) return undefined;
  const hidden = new Set(relationship.columns.map(([, other]) => other));
  const isHistory = historyTime(target) !== undefined;
  const names = listColumns(target, hidden, isHistory);
  const labeled = isHistory ? [] : listLabeled(target, names, schema);
  const select = [...names.map(columnItem), ...labeled.flatMap(embedLabel)];
  const model = changeParams(orderRows(all.value, target), { select });
  const request = readRequest(setLimit(model, [], isHistory ? SHOWN_CHANGES : SHOWN_ROWS));
  const counted = { ...request, headers: [...request.headers, ['Prefer', 'count=exact'] as const] };
  const allUrl = renderUrl(setLimit(all.value, [], FIRST_ROWS));
  const given = new Map(key.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
  return { relationship, target, request: counted, model, embed: undefined, labeled, given, allUrl };
}

/** The rows behind a junction table or a function, which are embedded. Counted with an aggregate if possible. */
function embedTarget({ record: { base, relation }, relationship, target, schema }: Join): Related | undefined {
  const embed = parseAddress(relationship.address);
  if (embed === undefined) return undefined;
  const [alias, total] = ['rows', 'total'];
  const names = listColumns(target, new Set(), false);
  const labeled = listLabeled(target, names, schema);
  const select = [...names.map(columnItem), ...labeled.flatMap(embedLabel)];
  const count = { ...embed, alias: total, select: [{ kind: 'countRows', alias: undefined, cast: undefined } as const] };
  const isCounted = schema.document.features.aggregates;
  const model = changeParams(base, { select: [{ ...embed, alias, select }, ...(isCounted ? [count] : [])] });
  // One more than shown, to notice that there are more.
  const request = readRequest(setLimit(model, [alias], SHOWN_ROWS + 1));
  const own = relation.key.map(columnItem);
  const allUrl = renderUrl(changeParams(base, { select: [...own, { ...embed, select: [{ kind: 'all' }] }] }));
  return { relationship, target, request, model, embed: alias, labeled, given: undefined, allUrl };
}

function listLabeled(
  { name }: DescribedRelation,
  columns: readonly string[],
  schema: SchemaIndex,
): readonly LabeledColumn[] {
  const model = changeParams(createModel({ kind: 'relation', name }), { select: columns.map(columnItem) });
  return listLabeledColumns(describeResult(model, schema), schema);
}

/** The latest change of a history first; any other rows by their key. */
function orderRows(model: QueryModel, target: DescribedRelation): QueryModel {
  const time = historyTime(target)?.name;
  const names = [...(time === undefined ? [] : [time]), ...target.key];
  const direction = time === undefined ? 'asc' : 'desc';
  const terms = names.map(
    (name) => ({ relation: undefined, field: columnField(name), direction, nulls: undefined }) as const,
  );
  return terms.length === 0 ? model : setOrder(model, [], terms);
}

/** Keeps keys and short values. */
function listColumns(target: DescribedRelation, hidden: ReadonlySet<string>, isAll: boolean): readonly string[] {
  const readable = target.columns.filter(({ name, may, isComputed }) => may.select && !isComputed && !hidden.has(name));
  return (isAll ? readable : readable.slice(0, MAX_COLUMNS)).map(({ name }) => name);
}
