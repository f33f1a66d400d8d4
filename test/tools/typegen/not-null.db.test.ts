// Which columns of views are known never to be null.
import { expect, test } from 'vitest';
import { itemsOf, fieldsOf } from '../../../tools/typegen/base-columns.ts';
import { generateTypesOf, typeAt } from './generate-types.ts';

const SQL = `
  create schema api; create schema hidden;
  create domain hidden.filled as text not null;
  create table hidden.a (id integer primary key, x integer not null, y integer, d hidden.filled);
  create table hidden.b (id integer primary key, a_id integer not null references hidden.a, x integer not null);
  create view hidden.inside as select id, x, y from hidden.a;
  create view api.plain as select * from hidden.a;
  create view api.inner_join as select a.x, b.x as bx from hidden.a join hidden.b on b.a_id = a.id;
  create view api.comma_join as select a.x, b.x as bx from hidden.a, hidden.b where b.a_id = a.id;
  create view api.using_join as select id, a.x from hidden.a join hidden.b using (id);
  create view api.left_join as select a.x, b.x as bx from hidden.a left join hidden.b on b.a_id = a.id;
  create view api.right_join as select a.x, b.x as bx from hidden.a right join hidden.b on b.a_id = a.id;
  create view api.full_join as select a.x, b.x as bx from hidden.a full join hidden.b on b.a_id = a.id;
  create view api.nested as
    select o.x, p.x as px, q.x as qx from hidden.a o
    left join (hidden.b p join hidden.a q on q.id = p.a_id) on p.a_id = o.id;
  create view api.mixed as
    select o.x, p.x as px, q.x as qx from hidden.a o
    join hidden.b p on p.a_id = o.id left join hidden.b q on q.a_id = o.id where o.y is not null;
  create view api.lateral_join as select a.x, l.x as lx from hidden.a cross join lateral (select b.x from hidden.b) l;
  create view api.subquery as select s.x from (select x from hidden.a) s;
  create view api.cte as with c as (select x from hidden.a) select x from c;
  create view api.expression as select x + 0 as x, (select max(x) from hidden.b) as bx, 1 as one from hidden.a;
  create view api.grouped as select x, count(*) as n from hidden.a group by x;
  create view api.cubed as select x, count(*) as n from hidden.a group by cube (x);
  create view api.united as select x from hidden.a union all select x from hidden.b;
  create view api.distinct_rows as select distinct on (x) x, id from hidden.a order by x, id desc limit 5;
  create view api.through as select id, x, y from hidden.inside;
  create view api.outer_through as select i.x from hidden.b left join hidden.inside i on i.id = b.a_id;
  create view api.outer_of_view as select l.bx, l.x from api.left_join l;
  create view api.whole_row as select a, tableoid from hidden.a;
  create view api."strange } ) :targetList \\ name" as select x as "a } b ) c { :resno 1", x as ":expr" from hidden.a;
  create materialized view api.stale as select x from hidden.a;
  create view api.over_stale as select x from api.stale;
`;

test('null is excluded only if nothing can introduce it', async () => {
  const text = await generateTypesOf(SQL);
  const rows = Object.fromEntries(
    [...SQL.matchAll(/view api\.(\w+)/g)].map(([, name = '']) => [name, typeAt(text, 'api', 'Views', name, 'Row')]),
  );
  expect(rows).toEqual({
    plain: '{ d: string; id: number; x: number; y: number | null; }',
    inner_join: '{ bx: number; x: number; }',
    comma_join: '{ bx: number; x: number; }',
    using_join: '{ id: number; x: number; }',
    left_join: '{ bx: number | null; x: number; }',
    right_join: '{ bx: number; x: number | null; }',
    full_join: '{ bx: number | null; x: number | null; }',
    nested: '{ px: number | null; qx: number | null; x: number; }',
    mixed: '{ px: number; qx: number | null; x: number; }',
    lateral_join: '{ lx: number | null; x: number; }',
    subquery: '{ x: number | null; }',
    cte: '{ x: number | null; }',
    expression: '{ bx: number | null; one: number | null; x: number | null; }',
    grouped: expect.stringMatching(/^\{ n: number \| null; x: number( \| null)?; \}$/),
    cubed: '{ n: number | null; x: number | null; }',
    united: '{ x: number | null; }',
    distinct_rows: '{ id: number; x: number; }',
    through: '{ id: number; x: number; y: number | null; }',
    outer_through: '{ x: number | null; }',
    outer_of_view: '{ bx: number | null; x: number; }',
    whole_row:
      '{ a: { d: string | null; id: number | null; x: number | null; y: number | null; } | null; tableoid: string | null; }',
    stale: '{ x: number | null; }',
    over_stale: '{ x: number | null; }',
  });
  expect(typeAt(text, 'api', 'Views', String.raw`"strange } ) :targetList \\ name"`, 'Row')).toBe(
    '{ ":expr": number; "a } b ) c { :resno 1": number; }',
  );
});

test('one level of a node tree is parsed without its inner levels', () => {
  const node = String.raw`{QUERY :a 1 :list ({X :a 2} {Y}) :empty <> :value 4 [ 1 0 ] :name :colon :odd a\ b\)c}`;
  expect([...fieldsOf(node)]).toEqual([
    ['a', '1'],
    ['list', '({X :a 2} {Y})'],
    ['empty', '<>'],
    ['value', '4'],
    ['name', ':colon'],
    ['odd', String.raw`a\ b\)c`],
  ]);
  expect(itemsOf('({X :a 2} {Y})')).toEqual(['{X :a 2}', '{Y}']);
  expect(itemsOf('()')).toEqual([]);
  expect(itemsOf('<>')).toEqual([]);
});
