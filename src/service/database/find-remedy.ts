// An error that a retry meets again as long as nobody does something → what to do, for the log. It is tried again all the
// same (`operating.md` §6.6). Goes by texts in English: without them nothing is said.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ApiError } from '../../errors/api-error.ts';

type Remedy = (name: string) => string;

/** What is wrong in quotes, where it has a name; the first that fits. */
const REMEDIES: readonly (readonly [pattern: RegExp, remedy: Remedy])[] = [
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
    () => 'the server speaks no TLS, which sslmode demands. Set ssl = on there, or sslmode=prefer in db-uri',
  ],
  [
    /self[- ]signed certificate|unable to (?:get|verify)|does not match certificate/u,
    () => 'the certificate of the server is not trusted. Name that of its authority in db-uri, as sslrootcert',
  ],
  [
    /FATAL:\s+no pg_hba\.conf entry/u,
    () => 'the access rules of the server (pg_hba.conf) have no entry for this user, database and address',
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
