// The schema of the soak: tables wide enough for thousands of different requests, and thousands of users with hundreds
// of roles.
import { signToken } from '../../tools/token/issue-token.ts';

export const LOGIN = 'soak_gate';
export const ANON = 'soak_anon';
export const PUBLICATION = 'soak_live';
export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';
export const ROLES = 200;
export const USERS = 5000;
export const ITEMS = 2000;
export const COLUMNS: readonly string[] = Array.from({ length: 10 }, (_, index) => `c${index}`);

export interface User {
  readonly name: string;
  readonly authorization: { readonly Authorization: string };
}

export function makeUsers(): readonly User[] {
  return Array.from({ length: USERS }, (_, number) => {
    const claims = { role: `soak_user_${number % ROLES}`, sub: `user ${number}` };
    return { name: claims.sub, authorization: { Authorization: `Bearer ${signToken(claims, SECRET)}` } };
  });
}

/** SQL for the superuser, in a fresh cluster. */
export function renderSoakSchema(): string {
  return `
    create role ${LOGIN} login noinherit replication;
    create role ${ANON} nologin;
    create role soak_member nologin;
    grant ${ANON} to ${LOGIN};
    do $$ begin
      for number in 0 .. ${ROLES - 1} loop
        execute format('create role soak_user_%s login in role soak_member', number);
        execute format('grant soak_user_%s to ${LOGIN}', number);
      end loop;
    end $$;
    create schema api;
    grant usage on schema api to ${ANON}, soak_member;
    create table api.kinds (id int primary key, name text not null);
    insert into api.kinds select n, 'kind ' || n from generate_series(1, 20) n;
    create table api.items (id int primary key, kind_id int not null references api.kinds,
      ${COLUMNS.map((name, index) => `${name} ${index % 2 === 0 ? 'int' : 'text'}`).join(', ')});
    insert into api.items select n, n % 20 + 1,
      ${COLUMNS.map((_, index) => (index % 2 === 0 ? `n * ${index + 1} % 997` : `'text ' || n % 100`)).join(', ')}
      from generate_series(1, ${ITEMS}) n;
    create table api.events (id bigint generated always as identity primary key,
      item_id int not null references api.items, note text not null, at timestamptz not null default now());
    create index on api.events (item_id);
    insert into api.events (item_id, note) select n % ${ITEMS} + 1, 'first' from generate_series(1, 5000) n;
    create function api.whoami() returns text language sql stable
      as $$ select current_setting('request.jwt.claims')::json ->> 'sub' $$;
    create function api.add(a int, b int) returns int language sql immutable as 'select a + b';
    create function api.nap(seconds float8) returns text language sql volatile as 'select pg_sleep(seconds)::text';
    create function api.fail(code text) returns void language plpgsql volatile
      as $$ begin raise exception 'as requested' using errcode = code; end $$;
    create function api.long_text(length int) returns text language sql immutable as $$ select repeat('x', length) $$;
    grant all on all tables in schema api to soak_member;
    grant select on api.items, api.kinds to ${ANON};
    create publication ${PUBLICATION} for table api.items, api.kinds, api.events;
    analyze;`;
}

/** Returns small schema changes; each one undoes the one before. */
export function renderChange(number: number): string {
  return number % 2 === 0
    ? 'alter table api.items add column extra int default 7; create view api.short_items as select id, c1 from api.items'
    : 'drop view api.short_items; alter table api.items drop column extra';
}
