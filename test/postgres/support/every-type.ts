// Every type that a column can have, texts of values, and settings that change what PostgreSQL makes of them.

/** Texts that are tried for each type. */
export const TEXTS: readonly string[] = [
  ['', ' ', '0', '-0', '1', '-1', '7', '32767', '-32768', '2147483647', '9223372036854775807', '1.5', '0.1', '1e-7'],
  ['1e300', '-1e-300', '1e20', '123456789012345678901234567890.000', 'NaN', 'Infinity', '-Infinity', 'infinity'],
  [
    '-infinity',
    'true',
    'f',
    'null',
    'NULL',
    'a',
    'ä',
    '😀',
    'a"b\\c/d',
    'a\tb\nc\rd\be\ff\u0001g\u001fh\u007f\u2028',
    '{}',
  ],
  [
    '{1,2}',
    '{1,NULL}',
    '{{1,2},{3,4}}',
    '[2:3]={1,2}',
    '{"a b","c\\"d"}',
    '[]',
    '{"a": 1,\n "b" : [1, "x\\n"]}',
    '"x"',
  ],
  [
    '2024-02-29',
    '0044-03-15 BC',
    '10000-01-01',
    '4713-01-01 BC',
    '1999-12-31 23:59:59.999999',
    '2024-07-01 12:00:00+02',
  ],
  ['0044-03-15 12:00 BC', '1880-01-01 00:00:00+00', '294276-12-31 23:59:59.999999', '12:34:56.789', '24:00:00'],
  ['12:34:56+05:30', '12:34:56-00:00:01', '1 year 2 mons -3 days 04:05:06.7', '-1 day', 'P1Y2M', '@ 1 minute ago'],
  ['192.168.0.1', '10.0.0.0/8', '::1', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05', '(1,2)', '((1,2),(3,4))'],
  ['[(1,2),(3,4)]', '<(1,2),3>', '{1,2,3}', '101', '$1,234.56', '-$0.01', '\\x00ff8061', "a''b:1 & !c", "'a' & 'b'"],
  ['[1,5)', 'empty', '(,)', '[2024-01-01,2024-02-01)', '{[1,3),[5,7)}', '["2024-01-01 00:00","2024-02-01 00:00")'],
  ['<a>b &amp; c</a>', 'text only', '16/B374D848', '(0,1)', '10:20:10,14,15', '1 2 3', 'pg_class', 'pg_catalog.int4'],
  ['+(integer,integer)', 'pi()', 'public', 'english', 'sad', 'so "so"', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['(1,x)', '(,"a ""b""")', '"a"=>"1", "b"=>NULL', 'Top.Science', '-infinity,', '$."a"[*] ? (@ > 1)'],
].flat();

/** Types of every kind that are not built in, and a function that keeps a value if it is one of a type. */
export const TYPES = `
  create extension hstore; create extension citext; create extension ltree;
  create type mood as enum ('sad', 'so "so"', 'ä');
  create type pair as (a int, b text);
  create type span as range (subtype = float8);
  create domain small as int;
  create domain smaller as small check (value < 100);
  create domain words as text[];
  create domain moment as timestamptz;
  create domain feeling as mood;
  create domain pairs as pair;
  create type shown;
  create function shown_in(cstring) returns shown language internal immutable strict as 'textin';
  create function shown_out(shown) returns cstring language internal immutable strict as 'textout';
  create type shown (input = shown_in, output = shown_out, like = text);
  create function shown_json(shown) returns json language sql immutable
    as $$ select json_build_object('shown', $1::text) $$;
  create cast (shown as json) with function shown_json(shown);
  create domain shown_too as shown;
  create type plain;
  create function plain_in(cstring) returns plain language internal immutable strict as 'textin';
  create function plain_out(plain) returns cstring language internal immutable strict as 'textout';
  create type plain (input = plain_in, output = plain_out, like = text);
  create cast (plain as json) without function;
  create function keep(place text, type text, value text) returns void language plpgsql as $$
    begin
      execute format('insert into %I values (%L::%s)', place, value, type);
    exception when others then
    end $$;`;

/** Settings that change the texts of values. */
export const SETTINGS: readonly (readonly (readonly [string, string])[])[] = [
  [],
  [
    ['datestyle', 'iso, dmy'],
    ['timezone', 'Asia/Kolkata'],
    ['bytea_output', 'escape'],
    ['extra_float_digits', '-15'],
  ],
  [
    ['timezone', 'America/St_Johns'],
    ['intervalstyle', 'iso_8601'],
    ['extra_float_digits', '0'],
    ['xmloption', 'document'],
  ],
  [
    ['datestyle', 'postgres, mdy'],
    ['intervalstyle', 'sql_standard'],
    ['timezone', 'Europe/Paris'],
  ],
  [
    ['datestyle', 'sql, dmy'],
    ['intervalstyle', 'postgres_verbose'],
    ['extra_float_digits', '3'],
  ],
  [
    ['datestyle', 'german'],
    ['timezone', '<-0030>+00:30'],
    ['lc_monetary', 'C'],
  ],
];

/** Lists each type by its name, with the OID of its base type. */
export const TYPE_LIST = `with recursive bases (oid, base) as (
       select oid, oid from pg_type where typtype <> 'd'
       union all
       select domain.oid, bases.base from pg_type domain join bases on bases.oid = domain.typbasetype
       where domain.typtype = 'd'
     )
     select format_type(type.oid, null), bases.base::int8::text
     from pg_type type join bases using (oid)
     where typtype in ('b', 'c', 'd', 'e', 'r', 'm') and typisdefined
     and type.oid not in (select reltype from pg_class where relkind <> 'c')
     and typelem not in (select reltype from pg_class where relkind <> 'c' and reltype <> 0)
     and typelem not in (select oid from pg_type where typtype = 'p')
     order by type.oid`;
