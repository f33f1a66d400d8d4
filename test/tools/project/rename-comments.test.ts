// Which table a comment `-- renamed from NAME` speaks of.
import { expect, test } from 'vitest';
import { readRenameComments, type RenameComment } from '../../../tools/project/dev/find-renames.ts';

const TABLE = 'create table orders (\n  id integer,\n  total numeric -- renamed from amount\n);';

function read(text: string): readonly RenameComment[] {
  return readRenameComments([{ text }]);
}

test.each([
  ['no schema', TABLE, undefined],
  ['the schema of its name', `set search_path = shop;\n${TABLE.replace('orders', 'api.orders')}`, 'api'],
  ['the first schema of the search path', `set search_path to "Shop", public;\n${TABLE}`, 'Shop'],
  [
    'that of the last SET before it',
    `set search_path = a;\nset local search_path = B;\n${TABLE}\nset search_path = c`,
    'b',
  ],
])('P11 a comment in a table names %s', (_, text, schema) => {
  expect(read(text)).toEqual([{ schema, table: 'orders', column: 'total', from: 'amount' }]);
});
