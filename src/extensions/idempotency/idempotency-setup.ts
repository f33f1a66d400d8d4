// The SQL that stores the responses of requests with an idempotency key (`beyond.md` §2.7). Clients reach the table only
// through two functions, which take role and subject from the transaction.
import { quoteIdentifier } from '../../contract/identifiers.ts';

/** Longer responses are not stored, in bytes. */
export const MAX_STORED_BYTES = 65_536;

/** @returns one statement per item */
export function renderIdempotencySetup(schema: string): readonly string[] {
  const at = quoteIdentifier(schema);
  return [
    `CREATE SCHEMA IF NOT EXISTS ${at};`,
    `CREATE TABLE IF NOT EXISTS ${at}.idempotency_keys (
  role text NOT NULL,
  subject text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
  position bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  status int,
  headers json,
  body bytea,
  PRIMARY KEY (key, role, subject)
);`,
    `CREATE INDEX IF NOT EXISTS idempotency_keys_expiry ON ${at}.idempotency_keys (expires_at);`,
    `CREATE INDEX IF NOT EXISTS idempotency_keys_position ON ${at}.idempotency_keys (role, subject, position);`,
    `REVOKE ALL ON ${at}.idempotency_keys FROM PUBLIC;`,
    renderClaim(at),
    renderStore(at),
    `GRANT USAGE ON SCHEMA ${at} TO PUBLIC;`,
    `GRANT EXECUTE ON FUNCTION ${at}.claim_idempotency_key(text, text, int, int, bigint), ${at}.store_idempotent_response(text, int, json, bytea) TO PUBLIC;`,
  ];
}

/** What a key takes besides its response, in bytes. */
const KEY_BYTES = 512;

/**
 * The insertion waits for a transaction that has claimed the same key. A transaction whose snapshot is older than the
 * other one's commit cannot see its response, so the key is then in progress as well.
 *
 * The position of a key counts the bytes of the earlier keys of its subject, so two looks into an index tell what a
 * subject has stored. Keys that are claimed at the same time count once.
 */
function renderClaim(schema: string): string {
  return `CREATE OR REPLACE FUNCTION ${schema}.claim_idempotency_key(
  new_key text, new_fingerprint text, max_age int, max_wait int, max_bytes bigint
) RETURNS json LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  own_role text := current_setting('role');
  own_subject text := coalesce(nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub', '');
  former_timeout text := current_setting('lock_timeout');
  kept ${schema}.idempotency_keys;
BEGIN
  BEGIN
    PERFORM set_config('lock_timeout', max_wait::text, true);
    DELETE FROM ${schema}.idempotency_keys AS k
    WHERE k.role = own_role AND k.subject = own_subject AND k.key = new_key AND k.expires_at < clock_timestamp();
    INSERT INTO ${schema}.idempotency_keys (role, subject, key, fingerprint, expires_at, position)
    VALUES (own_role, own_subject, new_key, new_fingerprint, clock_timestamp() + make_interval(secs => max_age),
      ${KEY_BYTES} + coalesce((
        SELECT k.position + coalesce(octet_length(k.body) + octet_length(k.headers::text), 0)
        FROM ${schema}.idempotency_keys AS k
        WHERE k.role = own_role AND k.subject = own_subject ORDER BY k.position DESC LIMIT 1
      ), 0))
    ON CONFLICT DO NOTHING RETURNING * INTO kept;
    PERFORM set_config('lock_timeout', former_timeout, true);
  EXCEPTION WHEN lock_not_available OR query_canceled OR serialization_failure THEN
    RETURN json_build_object('state', 'busy');
  END;
${renderResult(schema)}END $function$;`;
}

/** Returns what is known about the request that has claimed the key, or whether a new key is one too many. */
function renderResult(schema: string): string {
  return `  IF kept.key IS NOT NULL THEN
    RETURN json_build_object('state', CASE WHEN kept.position - (
      SELECT k.position FROM ${schema}.idempotency_keys AS k
      WHERE k.role = own_role AND k.subject = own_subject AND k.expires_at >= clock_timestamp()
      ORDER BY k.position LIMIT 1
    ) > max_bytes - ${KEY_BYTES} THEN 'full' ELSE 'new' END);
  END IF;
  SELECT * INTO kept FROM ${schema}.idempotency_keys AS k
  WHERE k.role = own_role AND k.subject = own_subject AND k.key = new_key;
  RETURN CASE
    WHEN kept.key IS NULL THEN json_build_object('state', 'busy')
    WHEN kept.fingerprint <> new_fingerprint THEN json_build_object('state', 'other')
    WHEN kept.status IS NULL THEN json_build_object('state', 'unkept')
    ELSE json_build_object('state', 'replay', 'status', kept.status, 'headers', kept.headers,
      'body', translate(encode(kept.body, 'base64'), E'\\n', ''))
  END;
`;
}

/**
 * Only the transaction that has claimed the key can store its response, whatever has become of its settings. Then removes
 * some expired keys: the commit follows, so no other request waits for one of them.
 */
function renderStore(schema: string): string {
  return `CREATE OR REPLACE FUNCTION ${schema}.store_idempotent_response(
  own_key text, new_status int, new_headers json, new_body bytea
) RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  UPDATE ${schema}.idempotency_keys AS k SET status = new_status, headers = new_headers, body = new_body
  WHERE k.key = own_key AND k.transaction = pg_current_xact_id() AND k.status IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the idempotency key was not claimed by this transaction';
  END IF;
  BEGIN
    DELETE FROM ${schema}.idempotency_keys AS k USING (
      SELECT old.role, old.subject, old.key FROM ${schema}.idempotency_keys AS old
      WHERE old.expires_at < clock_timestamp() LIMIT 1000 FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE (k.role, k.subject, k.key) = (old.role, old.subject, old.key);
  EXCEPTION WHEN serialization_failure THEN
    NULL;
  END;
END $function$;`;
}
