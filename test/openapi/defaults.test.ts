// Default expressions, as PostgreSQL prints them, in OpenAPI 2.0.
import { expect, test } from 'vitest';
import type { Column } from '../../src/catalog/schema-cache.ts';
import { parseDefault } from '../../src/openapi/swagger/definitions.ts';

function columnOf(type: string, defaultExpression: string): Column {
  return {
    name: 'c',
    comment: undefined,
    isNullable: true,
    type,
    nominalType: type,
    maxLength: undefined,
    defaultExpression,
    enumLabels: [],
    isGenerated: false,
    isSpelled: true,
  };
}

test.each([
  ['api.status', `'free'::api.status`, 'free'],
  ['integer', '42', 42],
  ['integer', `'-1'::integer`, undefined],
  ['real', `'-1'::integer`, undefined],
  ['numeric', '1.5', 1.5],
  ['bigint', '999999999999999', 999_999_999_999_999],
  ['bigint', '9007199254740993', undefined],
  ['boolean', 'false', false],
  ['boolean', 'NOT true', undefined],
  ['date', `'1900-01-01'::date`, '1900-01-01'],
  ['date', `'infinity'::date`, 'infinity'],
  ['date', 'CURRENT_DATE', 'CURRENT_DATE'],
  ['integer', `nextval('api.s'::regclass)`, undefined],
  ['text[]', `'{}'::text[]`, undefined],
  ['text[]', 'ARRAY[]::text[]', undefined],
  ['text[]', `'{a}'::text[]`, undefined],
  ['text', `'it''s'::text`, `it''s`],
  ['text', `''::text`, ''],
  ['text', `'a::text'::text`, 'a::text'],
  ['text', `('a'::text || 'b'::text)`, `('a'::text || 'b'::text)`],
  ['character', `'ab'::bpchar`, `'ab'::bpchar`],
  ['timestamp with time zone', 'now()', 'now()'],
  ['json', `'{"a": 1}'::json`, undefined],
  ['json', `'oops'::json`, undefined],
  ['api.spot', `'(1,2)'::api.spot`, '(1,2)'],
])('O237 %s default %s', (type, expression, value) => {
  expect(parseDefault(columnOf(type, expression))).toEqual(value);
});
