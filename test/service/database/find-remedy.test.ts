// Errors that persist until an operator acts, and errors that a retry can fix.
import { expect, test } from 'vitest';
import { findRemedy } from '../../../src/service/database/find-remedy.ts';

const PLACE = 'connection to server at "db", port 5432 failed: ';

test.each([
  [
    'FATAL:  database "my shop" does not exist',
    'the database my shop does not exist. CREATE DATABASE "my shop"; or correct db-uri',
  ],
  [
    'FATAL:  role "gate" does not exist',
    'the login role gate does not exist. CREATE ROLE "gate" LOGIN; or correct db-uri',
  ],
  [
    'The server does not support SSL connections',
    'sslmode requires TLS, but the server does not support it. Set ssl = on in postgresql.conf, or sslmode=prefer in db-uri',
  ],
  [
    'self-signed certificate',
    'the certificate of the server is not trusted. Set sslrootcert in db-uri to the certificate of its authority',
  ],
  [
    'FATAL:  no pg_hba.conf entry for host "10.0.0.7", user "gate", database "shop", no encryption',
    'pg_hba.conf on the server has no entry for this user, database and address. Add one, or correct db-uri',
  ],
  ['connect ECONNREFUSED 127.0.0.1:5432', undefined],
  ['FATAL:  sorry, too many clients already', undefined],
])('%s', (reason, remedy) => {
  expect(findRemedy({ kind: 'cannotConnect', details: PLACE + reason })).toBe(remedy);
});

test("a missing schema is recognized by the database's message", () => {
  const report = { message: 'schema "nowhere" does not exist', detail: undefined, hint: undefined };
  expect(findRemedy({ kind: 'database', report: { ...report, sqlstate: '3F000' } })).toBe(
    'the schema nowhere does not exist. CREATE SCHEMA "nowhere"; or correct db-schemas',
  );
  expect(findRemedy({ kind: 'database', report: { ...report, sqlstate: 'P0001' } })).toBeUndefined();
});
