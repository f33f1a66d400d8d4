// What a form wants → the request that does it. A single row is addressed by its key, and asked for as one object: where
// none or several are met, nothing is changed.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import { renderName } from '../url-state/render-names.ts';
import { encodeSegment, encodeValue } from '../url-state/readable-text.ts';

export interface FormTarget {
  readonly relation: DescribedRelation;
  /** `mediaVendor` of the schema document. */
  readonly vendor: string;
}

/** The row as it is, before it is changed. @param rowUrl `/houses?id=eq.3` */
export function readRequest({ relation, vendor }: FormTarget, rowUrl: string): OutgoingRequest {
  const url = withSelect(rowUrl, relation);
  return { method: 'GET', url, headers: [['Accept', objectType(vendor)]], body: undefined };
}

export function insertRequest({ relation, vendor }: FormTarget, body: string): OutgoingRequest {
  const headers = [['Content-Type', 'application/json'], ...answerHeaders(relation, vendor)] as const;
  return { method: 'POST', url: withSelect(pathOf(relation), relation), headers, body };
}

export function updateRequest({ relation, vendor }: FormTarget, rowUrl: string, body: string): OutgoingRequest {
  const headers = [['Content-Type', 'application/json'], ...answerHeaders(relation, vendor)] as const;
  return { method: 'PATCH', url: withSelect(rowUrl, relation), headers, body };
}

export function deleteRequest({ relation, vendor }: FormTarget, rowUrl: string): OutgoingRequest {
  const url = withSelect(rowUrl, relation);
  return { method: 'DELETE', url, headers: answerHeaders(relation, vendor), body: undefined };
}

/** What becomes of rows whose key is there already. */
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

/** The same request, after which nothing is kept. */
export function rehearsalOf(request: OutgoingRequest): OutgoingRequest {
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

function answerHeaders({ may }: DescribedRelation, vendor: string): OutgoingRequest['headers'] {
  return [
    ['Accept', objectType(vendor)],
    ['Prefer', may.select ? 'return=representation' : 'return=minimal'],
  ];
}

/** Where not all columns can be read, those that can are named. */
function withSelect(url: string, { may, columns }: DescribedRelation): string {
  const stored = columns.filter(({ isComputed }) => !isComputed);
  const readable = stored.filter((column) => column.may.select);
  if (!may.select || readable.length === stored.length) return url;
  const select = encodeValue(readable.map(({ name }) => renderName(name)).join(','));
  return `${url}${url.includes('?') ? '&' : '?'}select=${select}`;
}
