// The request for a row: its readable columns, and an embed with key and label for each row that it references.
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { EmbedItem, SelectItem } from '../../../src/request/query/query-params.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { labelColumns } from '../schema/example.ts';
import { readableTarget } from '../schema/readable-target.ts';
import { columnItem } from '../url-state/edit-columns.ts';
import { parseAddress } from '../url-state/edit-embeds.ts';
import { setLimit } from '../url-state/edit-ranges.ts';
import { changeParams } from '../url-state/levels.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';

export interface RecordModel {
  readonly relation: DescribedRelation;
  /** The row without its references. */
  readonly base: QueryModel;
  readonly model: QueryModel;
  readonly references: readonly Reference[];
}

export interface Reference {
  readonly relationship: DescribedRelationship;
  readonly target: DescribedRelation;
  /** Name of the embed in the response. */
  readonly alias: string;
}

/** Returns undefined if the URL does not select rows of a known relation. */
export function makeRecordModel(url: string, schema: SchemaIndex): RecordModel | undefined {
  const parsed = parseUrl(url, schema.document.dialect);
  if (!parsed.ok || parsed.value.path.kind !== 'relation') return undefined;
  const relation = schema.relations.get(parsed.value.path.name);
  if (relation === undefined) return undefined;
  const { filters } = parsed.value.params;
  const select = selectReadable(relation);
  const base = changeParams(parsed.value, { filters, select, logic: [], orders: [], ranges: [] });
  const references = listReferences(relation, schema);
  const embeds = references.flatMap(embedReference);
  return { relation, base, references, model: changeParams(base, { select: [...select, ...embeds] }) };
}

/** Uses `*` where it can: a table may have more columns than `select` may list. It does not include computed columns. */
function selectReadable({ columns }: DescribedRelation): readonly SelectItem[] {
  const readable = columns.filter(({ may }) => may.select);
  const hasAll = columns.every(({ isComputed, may }) => isComputed || may.select);
  const listed = hasAll ? readable.filter(({ isComputed }) => isComputed) : readable;
  const items = listed.map(({ name }) => columnItem(name));
  return hasAll ? [{ kind: 'all' }, ...items] : items;
}

/** Asks for two rows, to notice a URL that does not identify one. */
export function requestRecord({ model }: RecordModel): OutgoingRequest {
  return readRequest(setLimit(model, [], 2));
}

export function readRequest(model: QueryModel): OutgoingRequest {
  return { method: 'GET', url: renderUrl(model), headers: [['Accept', 'application/json']], body: undefined };
}

function listReferences(relation: DescribedRelation, schema: SchemaIndex): readonly Reference[] {
  return relation.relationships.flatMap((relationship, index) => {
    const target = relationship.isToOne ? readableTarget(relationship, schema) : undefined;
    return target === undefined ? [] : [{ relationship, target, alias: `reference_${index}` }];
  });
}

function embedReference({ relationship, target, alias }: Reference): readonly EmbedItem[] {
  const embed = parseAddress(relationship.address);
  if (embed === undefined) return [];
  const names = new Set([
    ...target.key,
    ...relationship.columns.map(([, other]) => other),
    ...labelColumns(target).map(({ name }) => name),
  ]);
  const readable = target.columns.filter(({ name, may }) => may.select && names.has(name));
  const select: readonly SelectItem[] = readable.map(({ name }) => columnItem(name));
  return select.length === 0 ? [] : [{ ...embed, alias, select }];
}
