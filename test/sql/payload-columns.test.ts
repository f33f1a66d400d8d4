// Which payloads can be sent as one array per column, and the SQL that turns them into rows.
import { expect, test } from 'vitest';
import type { Column } from '../../src/catalog/schema-cache.ts';
import type { PayloadPlan } from '../../src/plan/actions/action-plan.ts';
import { canPassAsColumns, renderPayloadColumns } from '../../src/sql/writes/payload-columns.ts';
import { StatementBuilder } from '../../src/sql/text/statement-builder.ts';

function column(name: string, nominalType: string, type = nominalType.replace(/\(.*\)/u, '')): Column {
  return {
    name,
    comment: undefined,
    isNullable: true,
    type,
    nominalType,
    maxLength: undefined,
    defaultExpression: undefined,
    enumLabels: [],
    isGenerated: false,
    isSpelled: true,
  };
}

const BATCHES = { isTabular: true } as PayloadPlan['batches'];

function payload(columns: readonly Column[], changes: Partial<PayloadPlan> = {}): PayloadPlan {
  const plain = columns.map((each) => ({ column: each, reader: undefined, operation: undefined }));
  return { bytes: [], isArray: true, columns: plain, appliesDefaults: false, batches: BATCHES, ...changes };
}

test('B43 arrays are the first parameters, in column order, and their element types have no modifiers', () => {
  const columns = [column('a', 'character varying(5)'), column('the "b"', 'numeric(6,2)'), column('c', 'character(3)')];
  const builder = new StatementBuilder('t', undefined);
  expect(renderPayloadColumns(payload(columns), builder)).toBe(
    'SELECT "_1"."a", "_1"."the ""b""", "_1"."c" ' +
      'FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.varchar[]), pg_catalog.unnest($2::pg_catalog.numeric[]), ' +
      'pg_catalog.unnest($3::pg_catalog.bpchar[])) AS "_1"("a", "the ""b""", "c")',
  );
  expect(builder.parameters).toEqual([null, null, null]);
});

const INTEGER = column('a', 'integer');

test.each<readonly [string, PayloadPlan, boolean]>([
  ['values of plain types', payload([INTEGER, column('b', 'timestamp(0) without time zone')]), true],
  ['an array', payload([INTEGER, column('b', 'integer[]')]), false],
  ['JSON', payload([INTEGER, column('b', 'json')]), false],
  ['intervals, whose modifiers affect parsing', payload([column('b', 'interval year to month')]), false],
  ['a domain', payload([column('b', 'api.code', 'integer')]), false],
  ['a user-defined type', payload([column('b', 'api.mood')]), false],
  [
    'a domain with a JSON conversion',
    payload([], { columns: [{ column: INTEGER, reader: { schema: 's', name: 'f' }, operation: undefined }] }),
    false,
  ],
  ['defaults for missing keys', payload([INTEGER], { appliesDefaults: true }), false],
  ['lines of JSON', payload([INTEGER], { batches: { isTabular: false } as PayloadPlan['batches'] }), false],
  ['rows that were buffered as a whole', payload([INTEGER], { batches: undefined }), false],
])('B43 %s', (_, plan, expected) => {
  expect(canPassAsColumns(plan)).toBe(expected);
});
