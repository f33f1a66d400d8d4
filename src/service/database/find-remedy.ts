// Suggests a fix for errors that persist until an operator acts, for the log. Retries continue regardless
// (`operating.md` §6.6). Matches English messages; returns nothing for other languages.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** Patterns with an optional capture of the object's name; the first match applies. */
const REMEDIES: readonly (readonly [pattern: RegExp, remedy: (name: string) => string])[] = [
  [
    /FATAL:\s+database "(.*)" does not exist/u,
    (name) => `the database ${name} does not exist. CREATE DATABASE ${quoteIdentifier(name)}; or correct db-uri`,
  ],
  [
    /FATAL:\s+role "(.*)" does not exist/u,
    (name) => `the login role ${name} does not exist. CREATE ROLE ${quoteIdentifier(name)} LOGIN; or correct db-uri`,
  ],
  [
    /The server does not support SSL connections/u,
    () =>
      'sslmode requires TLS, but the server does not support it. Set ssl = on in postgresql.conf, or sslmode=prefer in db-uri',
  ],
  [
    /self[- ]signed certificate|unable to (?:get|verify)|does not match certificate/u,
    () => 'the certificate of the server is not trusted. Set sslrootcert in db-uri to the certificate of its authority',
  ],
  [
    /FATAL:\s+no pg_hba\.conf entry/u,
    () => 'pg_hba.conf on the server has no entry for this user, database and address. Add one, or correct db-uri',
  ],
  [
    /^schema "(.*)" does not exist/u,
    (name) => `the schema ${name} does not exist. CREATE SCHEMA ${quoteIdentifier(name)}; or correct db-schemas`,
  ],
];

export function findRemedy(error: ApiError): string | undefined {
  const text = describeCause(error);
  for (const [pattern, remedy] of REMEDIES) {
    const found = pattern.exec(text);
    if (found !== null) return remedy(found[1] ?? '');
  }
  return undefined;
}

function describeCause(error: ApiError): string {
  if (error.kind === 'cannotConnect') return error.details ?? '';
  return error.kind === 'database' && error.report.sqlstate === '3F000' ? error.report.message : '';
}
