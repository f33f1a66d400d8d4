// Builds the entries of the sidebar, one per relation and function, with their links.
import type { DescribedFunction, DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Place } from '../url-state/place.ts';
import { decodeSegment, encodeSegment } from '../url-state/readable-text.ts';

export interface Entry {
  readonly kind: DescribedRelation['kind'] | 'function';
  readonly name: string;
  readonly comment: string;
  /** Privileges of the role. */
  readonly may: DescribedRelation['may'];
  /** URL relative to the API. */
  readonly url: string;
}

/** Limit in the links, so that large tables open quickly. Users can change it in the URL. */
const FIRST_ROWS = 50;

export function listEntries(schema: SchemaIndex): readonly Entry[] {
  const relations = schema.document.relations.map(relationEntry);
  const functions = [...schema.functions.values()].flatMap(functionEntry);
  return [...sorted(relations), ...sorted(functions)];
}

/** Returns the name of the relation or function that a place shows. */
export function nameAt(place: Place): string | undefined {
  if (!('url' in place)) return undefined;
  return decodeSegment(place.url.split('?')[0]?.replace(/^\/(?:rpc\/)?/u, '') ?? '');
}

export function isCallOf(place: Place): boolean {
  return 'url' in place && place.url.startsWith('/rpc/');
}

function urlOfRelation(name: string): string {
  return `/${encodeSegment(name)}?limit=${FIRST_ROWS}`;
}

function urlOfFunction(name: string): string {
  return `/rpc/${encodeSegment(name)}`;
}

function relationEntry(relation: DescribedRelation): Entry {
  const { kind, name, comment = '', may } = relation;
  return { kind, name, comment, may, url: urlOfRelation(name) };
}

/** Overloads share one entry; the form distinguishes them. */
function functionEntry(overloads: readonly DescribedFunction[]): readonly Entry[] {
  const [first] = overloads;
  if (first === undefined) return [];
  const changes = !overloads.every((one) => one.isReadOnly);
  const may = { select: true, insert: changes, update: changes, delete: changes };
  const comment = overloads.find((one) => one.comment !== undefined)?.comment ?? '';
  return [{ kind: 'function', name: first.name, comment, may, url: urlOfFunction(first.name) }];
}

function sorted(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((a, b) => BY_NAME.compare(a.name, b.name));
}

const BY_NAME = new Intl.Collator('en', { numeric: true });
