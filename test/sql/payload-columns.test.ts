// Which payloads may go to the database as one array a column, and the rows that it makes of them.
import { expect, test } from 'vitest';
import type { Column } from '../../src/catalog/schema-cache.ts';
import type { PayloadPlan } from '../../src/plan/actions/action-plan.ts';
import { mayComeAsColumns, renderPayloadColumns } from '../../src/sql/payload-columns.ts';
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
  };
}

const BATCHES = { isTabular: true } as PayloadPlan['batches'];

function payload(columns: readonly Column[], changes: Partial<PayloadPlan> = {}): PayloadPlan {
  const plain = columns.map((each) => ({ column: each, reader: undefined }));
  return { bytes: [], isArray: true, columns: plain, appliesDefaults: false, batches: BATCHES, ...changes };
}

test('B43 arrays are the first parameters, in the order of the columns, their elements of the types without modifiers', () => {
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
  ['intervals, whose modifiers say what a text means', payload([column('b', 'interval year to month')]), false],
  ['a domain', payload([column('b', 'api.code', 'integer')]), false],
  ['a type of the user', payload([column('b', 'api.mood')]), false],
  [
    'a domain that JSON becomes',
    payload([], { columns: [{ column: INTEGER, reader: { schema: 's', name: 'f' } }] }),
    false,
  ],
  ['defaults for what is missing', payload([INTEGER], { appliesDefaults: true }), false],
  ['lines of JSON', payload([INTEGER], { batches: { isTabular: false } as PayloadPlan['batches'] }), false],
  ['rows that are there whole', payload([INTEGER], { batches: undefined }), false],
])('B43 %s', (_, plan, expected) => {
  expect(mayComeAsColumns(plan)).toBe(expected);
});
