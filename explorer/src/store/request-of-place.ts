// A place, and the schema as far as it is known → the request that is sent there; undefined where none is to be sent, or
// where it cannot be told before the schema is known.
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Place, RequestPlace } from '../url-state/place.ts';

const CALL = /^\/rpc\/([^?]*)/u;

export function requestOfPlace(place: Place, schema: SchemaIndex | undefined): OutgoingRequest | undefined {
  if (place.kind !== 'request') return undefined;
  if (CALL.test(place.url) && !isReadyToCall(place.url, schema)) return undefined;
  const accept = mediaTypeOf(place, schema);
  if (accept === undefined) return undefined;
  return { method: 'GET', url: place.url, headers: [['Accept', accept]], body: undefined };
}

/** The table is made from JSON: changing between both sends nothing. */
function mediaTypeOf({ view }: RequestPlace, schema: SchemaIndex | undefined): string | undefined {
  if (view === 'csv') return 'text/csv';
  if (view !== 'plan') return 'application/json';
  if (schema === undefined) return undefined;
  return `application/vnd.${schema.document.mediaVendor}.plan+json; options=analyze|verbose`;
}

/** A function is called by a visit only where GET may and all that it needs is stated. */
function isReadyToCall(url: string, schema: SchemaIndex | undefined): boolean {
  if (schema === undefined) return false;
  const overloads = schema.functions.get(decodeName(CALL.exec(url)?.[1] ?? ''));
  if (overloads === undefined) return true;
  const stated = new Set(new URLSearchParams(url.split('?').slice(1).join('?')).keys());
  return overloads.some((one) => one.isReadOnly && requiredOf(one).every((name) => stated.has(name)));
}

function requiredOf(one: DescribedFunction): readonly string[] {
  return one.parameters.filter((parameter) => parameter.isRequired).map((parameter) => parameter.name);
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
