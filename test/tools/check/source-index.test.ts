// Where the files of a project state something, and the allowances that they contain.
import { expect, test } from 'vitest';
import { applyAllowances } from '../../../tools/check/apply-allowances.ts';
import { indexSources, locate, type SourceIndex } from '../../../tools/check/source-index.ts';

function index(text: string, roles?: string): SourceIndex {
  const file = (path: string, content: string): { path: string; text: string } => ({ path, text: content });
  return indexSources({
    roles: roles === undefined ? undefined : file('roles.sql', roles),
    schema: [file('schema/api.sql', text)],
  });
}

const lineOf = (sources: SourceIndex, object: string): number | undefined =>
  locate({ kind: 'object', object }, sources)?.line;

test('P45b each overload of a function is found by the types of its parameters', () => {
  const sources = index(`create function api.f() returns int language sql return 1;
create function api.f(a int) returns int language sql return 1;
create function api.f(a int, out b int) returns int language sql return 1;
create or replace function api.f(inout "a b" varchar(10), b timestamptz default now()) returns text language sql return '';
create function api.f(text) returns int language sql return 1;
create function api.f(x int default 1, y numeric(10, 2) = 2) returns int language sql return 1;
create function api.f(variadic rest api.item[]) returns int language sql return 1;
create function api.g(citext) returns int language sql return 1;
`);
  expect(
    [
      'api.f()',
      'api.f(integer)',
      'api.f(character varying, timestamp with time zone)',
      'api.f(text)',
      'api.f(integer, numeric)',
      'api.f(api.item[])',
      'api.g(public.citext)',
      'api.g(unheard_of)',
      'api.h(text)',
    ].map((object) => lineOf(sources, object)),
  ).toEqual([1, 2, 4, 5, 6, 7, 8, 8, undefined]);
});

test('P45c an allowance stands in the lines before its statement, also with CRLF', () => {
  const text = `-- rowhouse: allow rls-off everybody may draw

-- a wall
create table api.wall (
  -- rowhouse: allow secret-readable inside
  token text
); -- rowhouse: allow rls-off behind
/* rowhouse: allow rls-off a block */
create table api.b (id int);
-- rowhouse: allow rls-off nothing follows
`;
  for (const source of [text, text.replaceAll('\n', '\r\n')])
    expect(index(source).allowances.map(({ line, statementLine, reason }) => [line, statementLine, reason])).toEqual([
      [1, 4, 'everybody may draw'],
      [5, undefined, 'inside'],
      [7, undefined, 'behind'],
      [8, undefined, 'a block */'],
      [10, undefined, 'nothing follows'],
    ]);
});

test('P45d an allowance that no statement follows is reported, also in roles.sql', () => {
  const sources = index(
    '-- rowhouse: allow rls-off at the end',
    '-- rowhouse: allow rls-off of a role\ncreate role a;',
  );
  expect(applyAllowances([], sources, () => true)).toMatchObject([
    {
      lint: 'unused-allowance',
      file: 'roles.sql',
      line: 1,
      message: 'The allowance of rls-off silences nothing: the statement below it has no such finding.',
    },
    {
      lint: 'unused-allowance',
      file: 'schema/api.sql',
      line: 1,
      message: 'The allowance of rls-off silences nothing: it must have lines of its own before a statement.',
    },
  ]);
});
