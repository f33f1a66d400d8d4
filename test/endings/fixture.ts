// The database of the suite: rows with known text, one row that fails when it is converted to text, and views that
// stall.
import type { Harbor } from '../support/harbor.ts';

/** Number of valid rows: about 4 MB as JSON. */
export const GOOD_ROWS = 20_000;
/** The row after the valid ones, which fails when it is converted to text; more valid rows follow it. */
export const BAD_ROW = 20_001;
const LAST_ROW = GOOD_ROWS + 5000;
/** Long rows: more than sockets and memory can buffer for a client that does not read. */
export const WIDE_ROWS = 2200;
export const WIDE_BYTES = 32_000;
/** Sizes of single values in bytes: short, long, and as much as all wide rows. */
export const DOCUMENTS: readonly [number, number, number] = [5000, 4_000_000, 70_000_000];
/** Number of rows after which the statement of an open stream sleeps. */
export const OPENING_ROWS = 1000;
/** Sleep in seconds: longer than any test waits. */
const NAP = 60;

export const TRAP_STATE = '22P03';

/**
 * The output function of `trap` interprets its values as members of an enum that has none: a row with such a value is
 * found and counted like any other, and fails when it is converted to text.
 */
export async function prepareDatabase(harbor: Harbor): Promise<void> {
  const { anon, user } = harbor;
  await harbor.sql(`
    create type public.trap;
    create function public.trap_in(cstring) returns public.trap language internal immutable strict as 'int4in';
    create function public.trap_out(public.trap) returns cstring language internal immutable strict as 'enum_out';
    create type public.trap (input = public.trap_in, output = public.trap_out, like = int4);

    create table api.item (id int primary key, flag bool not null, filler text, trap public.trap)
      with (autovacuum_enabled = false);
    insert into api.item select n, true, rpad(n::text, 150, 'x'), case n when ${BAD_ROW} then '1'::public.trap end
      from generate_series(1, ${LAST_ROW}) n;
    create table api.wide (id int primary key, flag bool not null, filler text) with (autovacuum_enabled = false);
    insert into api.wide select n, true, repeat(chr(97 + n % 26), ${WIDE_BYTES}) from generate_series(1, ${WIDE_ROWS}) n;

    create function public.nap() returns text language sql volatile as $$ select pg_sleep(${NAP})::text $$;
    -- Not in one query: a constant function would be computed once, before the rows.
    create view api.stalling as select * from api.item where id <= ${GOOD_ROWS}
      union all select 0, true, public.nap(), null::public.trap;
    create view api.opening as select * from api.item where id <= ${OPENING_ROWS}
      union all select 0, true, public.nap(), null::public.trap;
    create view api.sleeping as select id, flag, public.nap() as filler, trap from api.item where id < 3;

    create function api.items(low int, high int) returns setof api.item language sql stable
      as $$ select * from api.item where id between low and high order by id $$;
    create function api.wide_rows() returns setof api.wide language sql stable as 'select * from api.wide order by id';
    create function api.stalling_rows() returns setof api.item language sql stable as 'select * from api.stalling';
    create function api.opening_rows() returns setof api.item language sql stable as 'select * from api.opening';
    create function api.sleeping_rows() returns setof api.item language sql stable as 'select * from api.sleeping';
    create function api.items_with(low int, high int, header text) returns setof api.item language plpgsql stable as $$ begin
      perform set_config('response.headers', json_build_array(json_build_object(header, 'x'))::text, true);
      return query select * from api.item where id between low and high order by id;
    end $$;
    create table api.document (id int primary key, filler text);
    insert into api.document select n, repeat('y', (array[${DOCUMENTS.join()}])[n]) from generate_series(1, 3) n;
    create function api.text_of(size int) returns text language plpgsql stable as $$ begin
      case size when ${BAD_ROW} then raise exception using errcode = '${TRAP_STATE}';
        when 0 then perform public.nap();
        else return repeat('ö', size / 2);
      end case;
    end $$;

    create table api.inbox (id int, note text not null);
    create table api.closed (id int, note text);
    grant select on all tables in schema api to ${anon}, ${user};
    revoke all on api.closed from ${anon};
    grant insert on api.inbox to ${anon};
    alter role ${user} set statement_timeout = '500ms'`);
}
