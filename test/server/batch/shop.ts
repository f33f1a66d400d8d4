// A shop behind a server in the test's process: the database of the tests of batches and safe retries.
import { type Harbor, useHarbor } from '../../support/harbor.ts';

/** Orders with items, a stock that cannot be negative, and functions that show the settings of a request. */
export async function useShop(): Promise<Harbor> {
  const harbor = await useHarbor();
  const { anon, user } = harbor;
  await harbor.sql(`
    create table api.product (id int primary key, name text not null, stock int not null check (stock >= 0));
    create table api.purchase (id int generated always as identity primary key, note text, total numeric);
    create table api.item (
      id int generated always as identity primary key,
      purchase_id int not null references api.purchase deferrable initially deferred,
      product_id int, quantity int, details jsonb);
    create table api.slip (id int primary key, body text);
    create sequence api.calls;
    grant usage on sequence api.calls to ${anon}, ${user};
    grant select, insert, update, delete on api.product, api.purchase, api.item, api.slip to ${anon}, ${user};
    insert into api.product values (1, 'Lamp', 3), (2, 'Rug', 1), (3, 'a "b\\c", (d)', 5);
    create function api.note(text) returns text language sql volatile as
      $$ select set_config('shop.note', $1, true) $$;
    create function api.state() returns json language sql stable as $$ select json_build_object(
      'method', current_setting('request.method', true), 'path', current_setting('request.path', true),
      'color', current_setting('request.headers', true)::json->>'x-color', 'role', current_user,
      'agent', current_setting('request.headers', true)::json->>'user-agent',
      'zone', current_setting('timezone'), 'note', nullif(current_setting('shop.note', true), ''),
      'isolation', current_setting('transaction_isolation'), 'readOnly', current_setting('transaction_read_only'),
      'transaction', pg_backend_pid()::text || ' ' || extract(epoch from now())) $$;
    create function api.count_call() returns bigint language sql volatile as $$ select nextval('api.calls') $$;
    create function api.teapot() returns text language plpgsql volatile as $$ begin
      perform set_config('response.status', '299', true);
      perform set_config('response.headers', '[{"X-Pot": "tea"}, {"X-Pot": "mint"}]', true);
      return 'short'; end $$;
    create function api.bytes() returns bytea language sql stable as $$ select '\\x000102ff'::bytea $$;
    create function api.big() returns text language sql stable as $$ select 12345678901234567890.10::text $$;
    create function api.exact() returns json language sql stable as
      $$ select '{"n": 12345678901234567890.10, "s": "x\\"y", "deep": [{"$literal": 1}, null, true]}'::json $$;
    create function api.strict_stable() returns text language sql stable set default_transaction_isolation = 'serializable'
      as $$ select current_setting('transaction_isolation') $$;
    create domain "application/octet-stream" as bytea;
    create function api.raw() returns "application/octet-stream" language sql stable as $$ select '\\x000102'::bytea $$;
  `);
  return harbor;
}
