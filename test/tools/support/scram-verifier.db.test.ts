import { expect, test } from 'vitest';
import { makeScramVerifier } from '../../../tools/support/scram-verifier.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { adminUri, runRoleSql } from '../../support/database.ts';

const ROLE = `scram_${process.pid}`;

test.each(['plain', "it's 100% $secret"])(
  'PostgreSQL computes the same verifier for the password %s',
  async (password) => {
    await runRoleSql(adminUri(), `create role ${ROLE} password '${password.replaceAll("'", "''")}'`);
    try {
      const { rows } = await withConnection(adminUri(), (client) =>
        client.query<{ readonly kept: string }>(`select rolpassword as kept from pg_authid where rolname = '${ROLE}'`),
      );
      const kept = rows[0]?.kept ?? '';
      const salt = Buffer.from(/:(.*)\$/u.exec(kept)?.[1] ?? '', 'base64');
      expect(makeScramVerifier(password, salt)).toBe(kept);
    } finally {
      await runRoleSql(adminUri(), `drop role ${ROLE}`);
    }
  },
);

test('a password that needs normalization is left to PostgreSQL', () => {
  expect(makeScramVerifier('naïve', Buffer.alloc(16))).toBe('naïve');
});
