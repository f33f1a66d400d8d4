import { describe, expect, test } from 'vitest';
import { resolved } from '../support/resolve-text.ts';

function isSet(file: string): boolean {
  return resolved({ file }).jwtCacheMaxEntriesIsSet;
}

describe('types', () => {
  test.each([
    ['true', true],
    ['on', true],
    ['off', false],
    ['"TRUE"', true],
    ['"False"', false],
    ['"\\"true\\""', true],
    ['" true "', true],
    ['"1"', true],
    ['"2"', true],
    ['"0"', false],
    ['"-1"', false],
  ])('O14 reads the Boolean %s', (written, value) => {
    expect(resolved({ file: `db-plan-enabled = ${written}` }).dbPlanEnabled).toBe(value);
  });

  test.each(['13', '"yes"', '"on"', '""', '[true]', '"1.5"'])(
    'O15 in the postgrest dialect, the unusable Boolean %s falls back to the default',
    (written) => {
      const file = `db-plan-enabled = ${written}\ndb-prepared-statements = ${written}`;
      const config = resolved({ dialect: 'postgrest', file });
      expect([config.dbPlanEnabled, config.dbPreparedStatements]).toEqual([false, true]);
    },
  );

  test.each([
    ['1000', 1000],
    ['"1000"', 1000],
    ['" 7 "', 7],
    ['1e3', 1000],
    ['-1', -1],
    ['true', 10],
    ['1.5', 10],
    ['"many"', 10],
    ['"1e3"', 10],
    ['""', 10],
    ['99999999999999999999', 10],
  ])('O15 O16 the postgrest dialect reads the Int %s or falls back to the default', (written, value) => {
    expect(resolved({ dialect: 'postgrest', file: `db-pool = ${written}` }).dbPool).toBe(value);
  });

  test.each([
    ['"alpha,   beta"', ['alpha', 'beta']],
    ['" Mixed Case ,b.c"', ['Mixed Case', 'b.c']],
    ['"a,,b,"', ['a', 'b']],
    ['["a", " b"]', ['a', 'b']],
    ['13', ['13']],
    ['","', ['public']],
    ['""', ['public']],
  ])('O17 reads the List %s', (written, value) => {
    expect(resolved({ file: `db-schemas = ${written}` }).dbSchemas).toEqual(value);
  });

  test('O18 only some lists can be empty', () => {
    const config = resolved({
      file: 'db-extra-search-path = ""\ndb-hoisted-tx-settings = ""\nserver-cors-allowed-origins = ""',
    });
    expect(config.dbExtraSearchPath).toEqual([]);
    expect(config.dbHoistedTxSettings).toEqual([
      'statement_timeout',
      'plan_filter.statement_cost_limit',
      'default_transaction_isolation',
    ]);
    expect(config.serverCorsAllowedOrigins).toEqual([]);
  });

  test.each([
    ['harbor.check', { schema: 'harbor', name: 'check' }],
    ['Harbor.Check.it', { schema: 'Harbor', name: 'Check.it' }],
    ['check', { schema: undefined, name: 'check' }],
  ])('O19 reads the Function %s', (written, value) => {
    expect(resolved({ file: `db-pre-request = "${written}"` }).dbPreRequest).toEqual(value);
  });

  test.each([
    ['13', '13'],
    ['false', 'false'],
    ['1e3', '1000'],
    ['" a "', ' a '],
    ['""', undefined],
    ['["a"]', undefined],
  ])('reads the String %s', (written, value) => {
    expect(resolved({ file: `db-anon-role = ${written}` }).dbAnonRole).toBe(value);
  });

  test.each([
    ['true', true],
    ['"main-query"', true],
    ['"disabled"', false],
    ['"true"', true],
  ])('reads log-query = %s', (written, value) => {
    expect(resolved({ file: `log-query = ${written}` }).logQuery).toBe(value);
  });

  test.each([
    ['"600"', 0o600],
    ['"777"', 0o777],
    ['"0660"', 0o660],
    ['640', 0o640],
    ['""', 0o660],
  ])('reads the socket mode %s', (written, value) => {
    expect(resolved({ file: `server-unix-socket-mode = ${written}` }).serverUnixSocketMode).toBe(value);
  });

  test('O28 the admin host defaults to the server host', () => {
    expect(resolved({ file: 'server-host = "h"' }).adminServerHost).toBe('h');
    expect(resolved({ file: 'server-host = "h"\nadmin-server-host = "a"' }).adminServerHost).toBe('a');
  });

  test('records whether the number of cached tokens is set', () => {
    expect([isSet(''), isSet('jwt-cache-max-entries = 5'), isSet('jwt-cache-max-entries = ""')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
