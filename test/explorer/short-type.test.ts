// Types under their short names.
import { expect, test } from 'vitest';
import { shortTypeName } from '../../explorer/src/schema/short-type.ts';

test.each([
  ['character varying(160)', 'varchar(160)'],
  ['character varying[]', 'varchar[]'],
  ['character(2)', 'char(2)'],
  ['bit varying(8)', 'varbit(8)'],
  ['timestamp with time zone', 'timestamptz'],
  ['timestamp(3) with time zone[]', 'timestamptz(3)[]'],
  ['timestamp without time zone', 'timestamp'],
  ['time with time zone', 'timetz'],
  ['character_set', 'character_set'],
  ['numeric(8,2)', 'numeric(8,2)'],
])('%s is shown as %s', (name, short) => {
  expect(shortTypeName(name)).toBe(short);
});
