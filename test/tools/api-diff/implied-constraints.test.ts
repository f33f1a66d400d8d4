// Which constraints permit everything that another one permitted, as PostgreSQL prints them.
import { expect, test } from 'vitest';
import { impliesConstraint } from '../../../tools/api-diff/implied-constraints.ts';

const KEY = 'FOREIGN KEY (customer) REFERENCES api.customers(id)';

test.each([
  [KEY, `${KEY} ON DELETE CASCADE`],
  [KEY, `${KEY} ON UPDATE CASCADE ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED`],
  [`${KEY} NOT VALID`, `${KEY} DEFERRABLE`],
  ['CHECK ((total > (0)::numeric))', 'CHECK ((total >= (0)::numeric))'],
  ['CHECK ((total > 0))', 'CHECK ((total > (-1)))'],
  ['CHECK ((length(name) <= 10))', 'CHECK ((length(name) <= 20))'],
  ['CHECK (((a > 0) AND (b > 0)))', 'CHECK ((a > 0))'],
  ['CHECK ((a > 0))', 'CHECK (((a > 0) OR (b = 1)))'],
  [
    `CHECK ((state = ANY (ARRAY['new'::text, 'old'::text])))`,
    `CHECK ((state = ANY (ARRAY['new'::text, 'old'::text, 'a,b'::text])))`,
  ],
])('P25b %s is not stricter as %s', (before, after) => {
  expect(impliesConstraint(before, after)).toBe(true);
  expect(impliesConstraint(after, before)).toBe(before.includes('NOT VALID') ? false : before === after);
});

test.each([
  ['CHECK ((a <> 3))', 'CHECK ((a < 5))'],
  ['CHECK ((a > 0))', 'CHECK ((b > 0))'],
  [`${KEY} DEFERRABLE`, KEY],
  [KEY, 'FOREIGN KEY (customer) REFERENCES api.people(id)'],
  ['CHECK ((total > 0)) NO INHERIT', 'UNIQUE (total)'],
])('P25c %s is stricter as %s', (before, after) => {
  expect(impliesConstraint(before, after)).toBe(false);
});
