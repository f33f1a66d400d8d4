// Reads the result of claiming a key: the request is new, its response is stored, or it must not run.
import type { HttpResponse } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { parseJsonObject } from '../util/json-object.ts';

const REPLAYED = ['Idempotency-Replayed', 'true'] as const;

/** @returns the stored response; undefined if the key is new */
export function readClaim(result: ScriptResult | undefined): Result<HttpResponse | undefined, ApiError> {
  const body = result?.kind === 'outcome' ? result.outcome.body : undefined;
  const claim = body instanceof Uint8Array ? parseJsonObject(new TextDecoder().decode(body)) : undefined;
  switch (claim?.['state']) {
    case 'new':
      return ok(undefined);
    case 'busy':
      return fail({ kind: 'keyInProgress' });
    case 'other':
      return fail({ kind: 'keyUsed' });
    case 'full':
      return fail({ kind: 'keysFull' });
    case 'unkept':
      return fail({ kind: 'responseNotKept' });
    case 'replay':
      return readStored(claim);
    default:
      return fail({ kind: 'undecodableResult', details: 'unexpected result of claim_idempotency_key' });
  }
}

function readStored(claim: Readonly<Record<string, unknown>>): Result<HttpResponse, ApiError> {
  const { status, headers, body } = claim;
  if (typeof status !== 'number' || !Array.isArray(headers) || typeof body !== 'string')
    return fail({ kind: 'undecodableResult', details: 'unexpected stored response' });
  const stored = (headers as readonly unknown[]).filter(isHeader);
  return ok({
    status,
    headers: [...stored, REPLAYED],
    body: Uint8Array.from(atob(body), (char) => char.charCodeAt(0)),
  });
}

function isHeader(value: unknown): value is readonly [name: string, value: string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
