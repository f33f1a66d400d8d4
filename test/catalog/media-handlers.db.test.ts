import { expect, test } from 'vitest';
import { summarizeSchemaCache } from '../../src/catalog/summary.ts';
import { loadCache } from '../support/load-cache.ts';

const cache = await loadCache(
  `
    create schema api; create schema types;
    create table api.berth (id int primary key);
    create domain types."text/X-Names" as text;
    create function api.names_step(text, api.berth) returns text language sql as 'select $1';
    create function api.names_final(text) returns types."text/X-Names" language sql as 'select $1::types."text/X-Names"';
    create aggregate api.names(api.berth) (sfunc = api.names_step, stype = text, finalfunc = api.names_final);
    create domain types.picture as bytea;
    create domain types."text/csv" as types.picture;
    create function api.csv_step(types."text/csv", anyelement) returns types."text/csv" language sql as 'select $1';
    create aggregate api.csv(anyelement) (sfunc = api.csv_step, stype = types."text/csv");
    create aggregate api.csv_too(anyelement) (sfunc = api.csv_step, stype = types."text/csv");
    create function api.two_step(types."text/csv", anyelement, int) returns types."text/csv" language sql as 'select $1';
    create aggregate api.csv_two(anyelement, int) (sfunc = api.two_step, stype = types."text/csv");
    create function api.ignored_step(types."text/csv", int) returns types."text/csv" language sql as 'select $1';
    create aggregate api.csv_int(int) (sfunc = api.ignored_step, stype = types."text/csv");
    create domain types."*/*" as bytea;
    create function api.anything() returns types."*/*" language sql as 'select null::types."*/*"';
    create domain types."image/svg+xml" as xml;
    create function api.picture(id int) returns types."image/svg+xml" language sql as 'select null::types."image/svg+xml"';
    create function api.pictures() returns setof types."image/svg+xml" language sql as 'select null::types."image/svg+xml"';
    create function api.out_picture(out x types."image/svg+xml") language sql as 'select null::types."image/svg+xml"';
    create function types.hidden() returns types."image/svg+xml" language sql as 'select null::types."image/svg+xml"';
    create domain types."no media" as text; create domain types."a+b/c" as text; create domain types."*/x" as text;
    create function api.plain() returns types."no media" language sql as 'select null::types."no media"';
    create function api.plus() returns types."a+b/c" language sql as 'select null::types."a+b/c"';
    create function api.star() returns types."*/x" language sql as 'select null::types."*/x"';
  `,
);

test('O158 finds aggregates over a relation or any element, and functions, that return a media type domain', () => {
  const described = cache.mediaHandlers.map(
    ({ element, mediaType, kind, routine, isBinary }) =>
      `${element?.name ?? 'any'} ${mediaType} ${kind} ${routine.name}${isBinary ? ' binary' : ''}`,
  );
  expect(described).toEqual([
    'anything */* function anything binary',
    'any text/csv aggregate csv binary',
    'csv_step text/csv function csv_step binary',
    'ignored_step text/csv function ignored_step binary',
    'berth text/x-names aggregate names',
    'names_final text/x-names function names_final',
    'picture image/svg+xml function picture',
    'two_step text/csv function two_step binary',
  ]);
});

test('a handler for any element replaces the built-in one in the count', () => {
  expect(summarizeSchemaCache(cache).mediaHandlers).toBe(8 + 3);
});
