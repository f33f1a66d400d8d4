// Builds the requests of forms. A single row is addressed by its key and requested as one object, so that the server
// changes nothing unless exactly one row matches.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { readVersions } from '../../../src/contract/row-version.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { headerOf } from '../client/headers.ts';
import { type JsonObject, parseJson } from '../rows/json-value.ts';
import type { RowKey } from '../rows/row-links.ts';
import { renderName } from '../../../src/request/query/render-names.ts';
import { encodeSegment, encodeValue } from '../url-state/readable-text.ts';
import { urlOfKeys } from '../rows/row-keys.ts';
import { findError } from './form-error.ts';

export interface FormTarget {
  readonly relation: DescribedRelation;
  /** `mediaVendor` of the schema document. */
  readonly vendor: string;
}

/** Reads the current row. @param rowUrl `/houses?id=eq.3` */
export function readRequest({ relation, vendor }: FormTarget, rowUrl: string): OutgoingRequest {
  const url = withSelect(rowUrl, relation);
  return { method: 'GET', url, headers: [['Accept', objectType(vendor)]], body: undefined };
}

export function insertRequest({ relation, vendor }: FormTarget, body: string): OutgoingRequest {
  const headers = [['Content-Type', 'application/json'], ...responseHeaders(relation, vendor)] as const;
  return { method: 'POST', url: withSelect(pathOf(relation), relation), headers, body };
}

export interface StoredRow {
  /** Addresses the row by its key. */
  readonly url: string;
  /** Entity tag of the row as it was read, if it contains its version. */
  readonly tag?: string | undefined;
}

/** Changes the row only if nobody else has changed it since it was read. */
export function updateRequest(
  { relation, vendor }: FormTarget,
  { url, tag }: StoredRow,
  body: string,
): OutgoingRequest {
  const headers = [
    ['Content-Type', 'application/json'],
    ...responseHeaders(relation, vendor),
    ...(tag === undefined ? [] : [['If-Match', tag] as const]),
  ] as const;
  return { method: 'PATCH', url: withSelect(url, relation), headers, body };
}

/** @param body an object with operations on the stored values */
export function changeInPlaceRequest(target: FormTarget, stored: StoredRow, body: string): OutgoingRequest {
  const request = updateRequest(target, stored, body);
  const others = request.headers.filter(([name]) => name !== 'Content-Type');
  return { ...request, headers: [['Content-Type', `application/vnd.${target.vendor}.patch+json`], ...others] };
}

/** Returns the entity tag of the row in a response, unless it contains no version of the row. */
export function versionedTagOf(response: { readonly headers: OutgoingRequest['headers'] }): string | undefined {
  const tag = headerOf(response, 'ETag');
  return tag !== undefined && readVersions(tag).length > 0 ? tag : undefined;
}

export function deleteRequest({ relation, vendor }: FormTarget, rowUrl: string): OutgoingRequest {
  const url = withSelect(rowUrl, relation);
  return { method: 'DELETE', url, headers: responseHeaders(relation, vendor), body: undefined };
}

/** Reads the current values of rows. */
export function readRowsRequest(relation: DescribedRelation, keys: readonly RowKey[]): OutgoingRequest {
  const url = withSelect(urlOfKeys(relation, keys), relation);
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

export function updateRowsRequest(relation: DescribedRelation, keys: readonly RowKey[], body: string): OutgoingRequest {
  return { method: 'PATCH', url: urlOfKeys(relation, keys), headers: COUNTED_JSON, body };
}

export function deleteRowsRequest(relation: DescribedRelation, keys: readonly RowKey[]): OutgoingRequest {
  return { method: 'DELETE', url: urlOfKeys(relation, keys), headers: [COUNTED], body: undefined };
}

/** @param body an array */
export function insertRowsRequest(relation: DescribedRelation, body: string): OutgoingRequest {
  return { method: 'POST', url: pathOf(relation), headers: COUNTED_JSON, body };
}

const COUNTED = ['Prefer', 'return=minimal, count=exact'] as const;
const COUNTED_JSON = [['Content-Type', 'application/json'], COUNTED] as const;

/** Servers and proxies limit the length of a request line. */
const MAX_URL = 6000;

export function isUrlTooLong({ url }: OutgoingRequest): boolean {
  return url.length > MAX_URL;
}

/** How to handle rows whose key already exists. */
export type Duplicates = 'refuse' | 'ignore' | 'merge';

export function uploadRequest(relation: DescribedRelation, csv: string, duplicates: Duplicates): OutgoingRequest {
  const resolution = duplicates === 'refuse' ? '' : `, resolution=${duplicates}-duplicates`;
  return {
    method: 'POST',
    url: pathOf(relation),
    headers: [
      ['Content-Type', 'text/csv'],
      ['Prefer', `return=minimal, count=exact${resolution}`],
    ],
    body: csv,
  };
}

/** Returns the same request with a rollback at the end. */
export function dryRunOf(request: OutgoingRequest): OutgoingRequest {
  const others = request.headers.filter(([name]) => name !== 'Prefer');
  const preferences = [
    ...request.headers.filter(([name]) => name === 'Prefer').map(([, value]) => value),
    'tx=rollback',
  ];
  return { ...request, headers: [...others, ['Prefer', preferences.join(', ')]] };
}

function pathOf({ name }: DescribedRelation): string {
  return `/${encodeSegment(name)}`;
}

function objectType(vendor: string): string {
  return `application/vnd.${vendor}.object+json`;
}

function responseHeaders({ may }: DescribedRelation, vendor: string): OutgoingRequest['headers'] {
  return [
    ['Accept', objectType(vendor)],
    ['Prefer', may.select ? 'return=representation' : 'return=minimal'],
  ];
}

/** Selects the readable columns by name unless all are readable. */
function withSelect(url: string, { may, columns }: DescribedRelation): string {
  const stored = columns.filter(({ isComputed }) => !isComputed);
  const readable = stored.filter((column) => column.may.select);
  if (!may.select || readable.length === stored.length) return url;
  const select = encodeValue(readable.map(({ name }) => renderName(name)).join(','));
  return `${url}${url.includes('?') ? '&' : '?'}select=${select}`;
}

interface ReadRow {
  readonly row: JsonObject;
  readonly tag: string | undefined;
}

/** Returns undefined unless the response is a row. */
export function readRow(exchange: Exchange | undefined): ReadRow | undefined {
  if (exchange?.kind !== 'answered' || findError(exchange) !== undefined) return undefined;
  const { response } = exchange;
  const row = parseJson(response.text);
  return row?.kind === 'object' ? { row, tag: versionedTagOf(response) } : undefined;
}
