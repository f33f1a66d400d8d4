// Reads the idempotency key of a request, and decides what is stored for it (`beyond.md` §2.7).
import type { Identity } from '../../auth/authenticate.ts';
import { allHeaders, type HttpRequest } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import type { RequestContext } from '../../serve/request-context.ts';
import type { KeyClaim } from './render-idempotency.ts';
import { parseJsonObject } from '../../util/json-object.ts';

export interface KeyedRequest {
  readonly schema: string;
  readonly claim: KeyClaim;
}

/** Headers that determine the response. */
const FINGERPRINTED = ['accept-profile', 'content-profile', 'prefer', 'accept', 'content-type'];

/** @returns undefined if the request has no key or ignores it */
export function readKeyedRequest(
  request: HttpRequest,
  { claimsText }: Identity,
  { config, hash, schema }: Pick<RequestContext, 'config' | 'hash'> & Pick<KeyedRequest, 'schema'>,
): Result<KeyedRequest | undefined, ApiError> {
  const key = parseIdempotencyKey(request);
  const { idempotencyMaxAge: maxAge, idempotencyMaxBytes: maxBytes } = config;
  if (!key.ok) return key;
  if (key.value === undefined) return ok(undefined);
  if (request.arriving !== undefined) return fail(STREAMED);
  const { sub } = parseJsonObject(claimsText) ?? {};
  if ((sub === undefined || sub === null) && !config.idempotencyAnonymous) return fail(WITHOUT_SUBJECT);
  const subject = typeof sub === 'string' ? sub : JSON.stringify(sub ?? '');
  if (new TextEncoder().encode(subject).length > MAX_SUBJECT_BYTES) return fail(LONG_SUBJECT);
  const maxWait = config.dbPoolAcquisitionTimeout * 1000;
  const values = FINGERPRINTED.map((name) => allHeaders(request.headers, name));
  const head = JSON.stringify([request.method, request.path, request.rawQuery, values]);
  const fingerprint = hash([`${head}\n`, request.body]);
  return ok({ schema, claim: { key: key.value, fingerprint, maxAge, maxWait, maxBytes } });
}

export const STREAMED: ApiError = {
  kind: 'notImplemented',
  feature: 'A body that is inserted while it arrives cannot have an Idempotency-Key',
};

const WITHOUT_SUBJECT: ApiError = {
  kind: 'notImplemented',
  feature: 'Idempotency-Key requires a token with the claim sub, because clients without one would share their keys',
};

/** PostgreSQL indexes at most 2,704 bytes: a key, a role and a subject. */
const MAX_SUBJECT_BYTES = 1024;

const LONG_SUBJECT: ApiError = {
  kind: 'notImplemented',
  feature: `Idempotency-Key requires a claim sub of up to ${MAX_SUBJECT_BYTES} bytes`,
};
