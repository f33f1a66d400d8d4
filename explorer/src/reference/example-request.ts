// Examples of requests: to a relation for what the role may do with it, and to a function.
import type { DescribedColumn, DescribedFunction, DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import { callByGet, callByPost, isCalledByGet } from '../forms/call-request.ts';
import { textValue } from '../forms/field-value.ts';
import { printJson } from '../forms/value-json.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { placeOfRow, textOf } from '../rows/row-links.ts';
import { addEmbed } from '../url-state/edit-embeds.ts';
import { setLimit } from '../url-state/edit-ranges.ts';
import { createModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { sampleOf, textOfValue, valueFor } from './sample-value.ts';

export interface ExampleRequest {
  readonly title: string;
  readonly request: OutgoingRequest;
}

/** @param row the first row, if the role can read it */
export function relationExamples(relation: DescribedRelation, row: JsonObject | undefined): readonly ExampleRequest[] {
  const { may } = relation;
  const rowUrl = urlOfRow(relation, row);
  return [
    ...(may.select ? readExamples(relation, rowUrl) : []),
    ...(may.insert ? insertExamples(relation, row) : []),
    ...(may.update && rowUrl !== undefined ? updateExample(relation, rowUrl, row) : []),
    ...(may.insert && may.update ? upsertExample(relation, row) : []),
    ...(may.delete && rowUrl !== undefined
      ? [{ title: 'Delete a row', request: write(relation, { method: 'DELETE', url: rowUrl }) }]
      : []),
  ];
}

export function functionExamples(one: DescribedFunction): readonly ExampleRequest[] {
  const required = one.parameters.filter(({ isRequired }) => isRequired);
  const given = required.length === 0 ? one.parameters : required;
  const values = new Map(given.map(({ name, type }) => [name, textValue(textOfValue(sampleOf(type)))] as const));
  const get = isCalledByGet(one) ? callByGet(one, values) : undefined;
  const post = callByPost(one, values);
  return [
    ...(get?.ok === true ? [{ title: 'Call by GET', request: read(renderUrl(get.value)) }] : []),
    ...(post.ok ? [{ title: 'Call by POST', request: post.value }] : []),
  ];
}

/** Returns the URL of the first row, or of an invented one; undefined without a primary key. */
function urlOfRow(relation: DescribedRelation, row: JsonObject | undefined): string | undefined {
  const key = relation.columns.filter(({ name }) => relation.key.includes(name));
  return placeOfRow(
    relation.name,
    key.map((column) => [column.name, textOf(valueFor(column, row))]),
  )?.url;
}

function readExamples(
  { name, relationships }: DescribedRelation,
  rowUrl: string | undefined,
): readonly ExampleRequest[] {
  const model = setLimit(createModel({ kind: 'relation', name }), [], 10);
  const embedded = relationships.find(({ kind }) => kind !== 'computed');
  return [
    { title: 'Read rows', request: read(renderUrl(model)) },
    ...(rowUrl === undefined ? [] : [{ title: 'Read one row', request: read(rowUrl) }]),
    ...(embedded === undefined
      ? []
      : [
          {
            title: `Read rows with ${embedded.target}`,
            request: read(renderUrl(addEmbed(model, [], embedded.address))),
          },
        ]),
  ];
}

function insertExamples(relation: DescribedRelation, row: JsonObject | undefined): readonly ExampleRequest[] {
  const columns = columnsToInsert(relation);
  if (columns.length === 0) return [];
  const body = bodyOf(columns, row);
  return [{ title: 'Insert a row', request: write(relation, { method: 'POST', url: pathOf(relation), body }) }];
}

function updateExample(
  relation: DescribedRelation,
  url: string,
  row: JsonObject | undefined,
): readonly ExampleRequest[] {
  const own = relation.columns.filter(({ name, may, isGenerated }) => {
    return may.update && !isGenerated && !relation.key.includes(name);
  });
  const foreign = new Set(relation.relationships.flatMap(({ columns }) => columns.map(([name]) => name)));
  const column = own.find(({ name }) => !foreign.has(name)) ?? own[0];
  if (column === undefined) return [];
  const body = bodyOf([column], row);
  return [{ title: 'Update a row', request: write(relation, { method: 'PATCH', url, body }) }];
}

function upsertExample(relation: DescribedRelation, row: JsonObject | undefined): readonly ExampleRequest[] {
  const key = relation.columns.filter(({ name, may }) => relation.key.includes(name) && may.insert);
  if (key.length === 0 || key.length < relation.key.length) return [];
  const columns = [...new Set([...key, ...columnsToInsert(relation)])];
  const request = write(relation, { method: 'POST', url: pathOf(relation), body: bodyOf(columns, row) });
  return [
    { title: 'Insert a row, or update it if its key exists', request: prefer(request, 'resolution=merge-duplicates') },
  ];
}

const FEW = 3;

/** Returns the required columns, or some others if none is required. */
function columnsToInsert({ columns }: DescribedRelation): readonly DescribedColumn[] {
  const own = columns.filter(({ may, isGenerated, isComputed }) => may.insert && !isGenerated && !isComputed);
  const required = own.filter((column) => !column.isNullable && column.default === undefined);
  return required.length > 0 ? required : own.slice(0, FEW);
}

function bodyOf(columns: readonly DescribedColumn[], row: JsonObject | undefined): string {
  const entries = columns.map((column): readonly [string, JsonValue] => [column.name, valueFor(column, row)]);
  return printJson({ kind: 'object', entries });
}

function pathOf({ name }: DescribedRelation): string {
  return renderUrl(createModel({ kind: 'relation', name }));
}

function read(url: string): OutgoingRequest {
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

interface Written extends Pick<OutgoingRequest, 'method' | 'url'> {
  readonly body?: string;
}

function write({ may }: DescribedRelation, { method, url, body }: Written): OutgoingRequest {
  const headers = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
  return prefer({ method, url, headers, body }, may.select ? 'return=representation' : 'return=minimal');
}

function prefer(request: OutgoingRequest, preference: string): OutgoingRequest {
  const others = request.headers.filter(([name]) => name !== 'Prefer');
  const stated = request.headers.filter(([name]) => name === 'Prefer').map(([, value]) => value);
  return { ...request, headers: [...others, ['Prefer', [...stated, preference].join(', ')]] };
}
