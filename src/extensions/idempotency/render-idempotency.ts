// Renders the statements that claim an idempotency key and store the response of its request.
import type { StoredResponse } from '../../contract/http.ts';
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { MainStatement, ParameterValue } from '../../contract/transaction.ts';

export interface KeyClaim {
  readonly key: string;
  /** Identifies the request. */
  readonly fingerprint: string;
  /** Seconds. */
  readonly maxAge: number;
  /** Milliseconds to wait for a request with the same key. */
  readonly maxWait: number;
  /** What the keys of one role and subject may take, with their responses. */
  readonly maxBytes: number;
}

/** The body of the outcome is JSON that `readClaim` parses. */
export function renderClaim(schema: string, claim: KeyClaim): MainStatement {
  const { key, fingerprint, maxAge, maxWait, maxBytes } = claim;
  const call = `${quoteIdentifier(schema)}.claim_idempotency_key($1, $2, $3::int, $4::int, $5::bigint)`;
  return renderValue(call, [key, fingerprint, String(maxAge), String(maxWait), String(maxBytes)]);
}

/** @param response undefined if it is too long to be stored */
export function renderStore(schema: string, key: string, response: StoredResponse | undefined): MainStatement {
  const call = `${quoteIdentifier(schema)}.store_idempotent_response($1, $2::int, $3::json, $4::bytea)`;
  if (response === undefined) return renderValue(call, [key, null, null, null]);
  const { status, headers, body } = response;
  return renderValue(call, [key, String(status), JSON.stringify(headers), { kind: 'binary', bytes: [body] }]);
}

/** A value without counts and settings for the response. */
function renderValue(call: string, parameters: readonly ParameterValue[]): MainStatement {
  const columns = '1 AS "page_rows", NULL::bigint AS "total", NULL AS "response_headers", NULL AS "response_status"';
  return {
    text: `SELECT ${columns}, ${call}::text AS "body"`,
    parameters,
    delivery: { kind: 'value', encoding: 'text' },
  };
}
