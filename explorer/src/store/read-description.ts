// Parses the response with the schema document into an indexed schema, or returns the failed exchange.
import type { SchemaDocument } from '../../../src/contract/schema-document.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { indexSchema, type SchemaIndex } from '../schema/schema-index.ts';
import type { Loaded } from './store.ts';

/** Accepts the media types of both dialects; the server returns one of them. */
export const DESCRIPTION_REQUEST: OutgoingRequest = {
  method: 'GET',
  url: '/',
  headers: [['Accept', 'application/vnd.svc.schema+json, application/vnd.pgrst.schema+json']],
  body: undefined,
};

export function readDescription(exchange: Exchange): Loaded<SchemaIndex> {
  const document =
    exchange.kind === 'answered' && exchange.response.status === 200 ? parse(exchange.response.text) : null;
  return isSchemaDocument(document) ? { kind: 'ready', value: indexSchema(document) } : { kind: 'failed', exchange };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Rejects other documents, which a proxy may return. Trusts the content otherwise. */
function isSchemaDocument(value: unknown): value is SchemaDocument {
  return typeof value === 'object' && value !== null && 'relations' in value && 'functions' in value && 'role' in value;
}
