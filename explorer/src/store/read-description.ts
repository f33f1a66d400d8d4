// Parses the response with the schema document into an indexed schema, or returns the failed exchange. Detects that the
// schema has changed.
import type { SchemaDocument } from '../../../src/contract/schema-document.ts';
import { parseTarget } from '../../../src/request/target.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';
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
    exchange.kind === 'answered' && exchange.response.status === 200
      ? parseJsonObject(exchange.response.text)
      : undefined;
  return isSchemaDocument(document) ? { kind: 'ready', value: indexSchema(document) } : { kind: 'failed', exchange };
}

/** Keeps the schema that is shown if it has not changed, or if it could not be read again. */
export function isSameSchema(shown: Loaded<SchemaIndex>, next: Loaded<SchemaIndex>): boolean {
  if (shown.kind !== 'ready') return false;
  return next.kind !== 'ready' || JSON.stringify(shown.value.document) === JSON.stringify(next.value.document);
}

/** Unknown relations, relationships, functions and columns, by the last digits of the code or by SQLSTATE. */
const UNKNOWN_NAME = /^(?:[A-Z]{3,}20[0-5]|42703|42883|42P01)$/u;

/** Returns whether a response contradicts the schema that is shown. */
export function saysSchemaChanged(exchange: Exchange, schema: SchemaIndex | undefined): boolean {
  if (exchange.kind !== 'answered' || schema === undefined) return false;
  const { status, text } = exchange.response;
  if (status >= 400) return status < 500 && UNKNOWN_NAME.test(readServerError(text).code ?? '');
  const target = parseTarget(exchange.request.url.split('?', 1)[0] ?? '');
  return target.ok && target.value.kind === 'relation' && !schema.relations.has(target.value.name);
}

/** Rejects other documents, which a proxy may return. Trusts the content otherwise. */
function isSchemaDocument(value: unknown): value is SchemaDocument {
  return typeof value === 'object' && value !== null && 'relations' in value && 'functions' in value && 'role' in value;
}
