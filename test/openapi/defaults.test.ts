// Default expressions, as PostgreSQL prints them, in both documents.
import { expect, test } from 'vitest';
import type { Column } from '../../src/catalog/schema-cache.ts';
import { parseConstant } from '../../src/openapi/openapi31/schemas.ts';
import { describeType } from '../../src/openapi/openapi31/types.ts';
import { parseDefault } from '../../src/openapi/swagger/definitions.ts';

const ENUMS = new Map([['api.status', ['free', 'taken']]]);

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
  ['api.status', `'free'::api.status`, 'free', 'free'],
  ['integer', '42', 42, 42],
  ['integer', `'-1'::integer`, undefined, -1],
  ['real', `'-1'::integer`, undefined, -1],
  ['numeric', '1.5', 1.5, 1.5],
  ['bigint', '999999999999999', 999_999_999_999_999, 999_999_999_999_999],
  ['bigint', '9007199254740993', undefined, undefined],
  ['boolean', 'false', false, false],
  ['boolean', 'NOT true', undefined, undefined],
  ['date', `'1900-01-01'::date`, '1900-01-01', '1900-01-01'],
  ['date', `'infinity'::date`, 'infinity', undefined],
  ['date', 'CURRENT_DATE', 'CURRENT_DATE', undefined],
  ['integer', `nextval('api.s'::regclass)`, undefined, undefined],
  ['text[]', `'{}'::text[]`, undefined, []],
  ['text[]', 'ARRAY[]::text[]', undefined, []],
  ['text[]', `'{a}'::text[]`, undefined, undefined],
  ['text', `'it''s'::text`, `it''s`, `it's`],
  ['text', `''::text`, '', ''],
  ['text', `'a::text'::text`, 'a::text', 'a::text'],
  ['text', `('a'::text || 'b'::text)`, `('a'::text || 'b'::text)`, undefined],
  ['character', `'ab'::bpchar`, `'ab'::bpchar`, 'ab'],
  ['timestamp with time zone', 'now()', 'now()', undefined],
  ['json', `'{"a": 1}'::json`, undefined, { a: 1 }],
  ['json', `'oops'::json`, undefined, undefined],
  ['api.spot', `'(1,2)'::api.spot`, '(1,2)', undefined],
])('O237 %s default %s', (type, expression, swagger, constant) => {
  expect(parseDefault(columnOf(type, expression))).toEqual(swagger);
  expect(parseConstant(expression, describeType(type, ENUMS))).toEqual(constant);
});

test('O237 a label that the enum does not have is not a constant', () => {
  expect(parseConstant(`'gone'::api.status`, describeType('api.status', ENUMS))).toBeUndefined();
});
