// Builds the request of a place; undefined if there is none, or if the schema must be loaded first.
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Place, RequestPlace } from '../url-state/place.ts';
import { decodeSegment } from '../url-state/readable-text.ts';
import { mayLackOrder } from '../url-state/stable-order.ts';

const CALL = /^\/rpc\/([^?]*)/u;

export function requestOfPlace(place: Place, schema: SchemaIndex | undefined): OutgoingRequest | undefined {
  if (place.kind !== 'request') return undefined;
  if (CALL.test(place.url) && !isReadyToCall(place.url, schema)) return undefined;
  if (schema === undefined && mayLackOrder(place)) return undefined;
  const paging = KEYSET_PAGE.test(place.url) ? [['Prefer', 'paging=cursor'] as const] : [];
  const headers = [['Accept', mediaTypeOf(place, schema)] as const, ...paging];
  return { method: 'GET', url: place.url, headers, body: undefined };
}

/** Has a token, whose page links to others on request. A filter has a dot. */
const KEYSET_PAGE = /[?&](?:after|before)=[\w-]+(?:&|$)/u;

/** Table and plan also use JSON (the plan has its own request), so switching between these views sends nothing. */
export function mediaTypeOf({ view, url }: RequestPlace, schema: SchemaIndex | undefined): string {
  if (view === 'csv') return 'text/csv';
  return (view === 'table' ? ownMediaType(url, schema) : undefined) ?? 'application/json';
}

/** A response of this type never ends. As JSON, the function returns the names of its channels. */
const EVENTS = 'text/event-stream';

/** Returns whether the URL calls a function that returns the channels of a stream of events. */
export function isChannelCall(url: string, schema: SchemaIndex | undefined): boolean {
  return mediaTypesOf(overloadsOf(url, schema) ?? []).includes(EVENTS);
}

/** Returns the media type of a function that returns a domain named like one: `"image/png"`. */
function ownMediaType(url: string, schema: SchemaIndex | undefined): string | undefined {
  const own = (overloadsOf(url, schema) ?? []).filter(({ result }) => !result.isSet);
  return mediaTypesOf(own).find((type) => type !== EVENTS);
}

function mediaTypesOf(overloads: readonly DescribedFunction[]): readonly string[] {
  return overloads.flatMap(({ result }) => MEDIA_TYPE.exec(result.type?.name ?? '')?.groups?.['type'] ?? []);
}

const MEDIA_TYPE = /(?:^|\.)"(?<type>[\w.-]+\/[\w.+-]+)"$/u;

function overloadsOf(url: string, schema: SchemaIndex | undefined): readonly DescribedFunction[] | undefined {
  const [, name] = CALL.exec(url) ?? [];
  return name === undefined ? undefined : schema?.functions.get(decodeSegment(name));
}

/** Navigation calls a function only if it is read-only and all required arguments are given. */
function isReadyToCall(url: string, schema: SchemaIndex | undefined): boolean {
  if (schema === undefined) return false;
  const overloads = overloadsOf(url, schema);
  if (overloads === undefined) return true;
  const stated = new Set(new URLSearchParams(url.split('?').slice(1).join('?')).keys());
  return overloads.some((one) => one.isReadOnly && requiredOf(one).every((name) => stated.has(name)));
}

function requiredOf(one: DescribedFunction): readonly string[] {
  return one.parameters.filter((parameter) => parameter.isRequired).map((parameter) => parameter.name);
}
