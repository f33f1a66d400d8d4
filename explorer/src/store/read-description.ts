// The answer to the request for the schema's description → the indexed schema, or the failed exchange.
import type { SchemaDocument } from '../../../src/contract/schema-document.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { indexSchema, type SchemaIndex } from '../schema/schema-index.ts';
import type { Loaded } from './store.ts';

/** Both dialects' names: the server answers one of them. */
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

/** Told from other documents that something before the server may answer; its inside is trusted. */
function isSchemaDocument(value: unknown): value is SchemaDocument {
  return typeof value === 'object' && value !== null && 'relations' in value && 'functions' in value && 'role' in value;
}
