// A project with odd names, many policies and many rows.
const MANY_POLICIES = 1000;

export const HOSTILE: Readonly<Record<string, string>> = {
  'rowhouse.conf': 'db-schemas = "api"\n',
  'roles.sql': `create role "o'role ""x""" nologin; create role web_user nologin;`,
  'schema/1.sql': `
      create schema api;
      grant usage on schema api to public;
      create table api."it's ""odd"" \\ $1" ("the ""key""" int primary key, "o'er" text);
      alter table api."it's ""odd"" \\ $1" enable row level security;
      create policy "p'1 ""q"" $$" on api."it's ""odd"" \\ $1" using ("o'er" = 'it''s \\ $$ $1') with check ("o'er" <> 'no');
      grant all on api."it's ""odd"" \\ $1" to "o'role ""x""";
      create function api."tri'g ""g"" $$"() returns trigger language plpgsql as $f$ begin raise exception 'it''s "%"', new."o'er"; end $f$;
      create trigger "t'1 ""x""" before update on api."it's ""odd"" \\ $1" for each row execute function api."tri'g ""g"" $$"();
      create table api.watched (id int primary key, owner text);
      alter table api.watched enable row level security;
      do $$ begin
        for n in 1..${MANY_POLICIES} loop
          execute format('create policy p%s on api.watched to web_user using (owner = %L and id > %s)', n, 'user' || n, n);
        end loop;
      end $$;
      create table api.large (id int primary key, owner text, filler text default repeat('x', 500));
      alter table api.large enable row level security;
      create policy own on api.large to web_user using (owner = 'ann');
      grant all on api.watched, api.large to web_user;`,
  'seed/1.sql': `
      insert into api."it's ""odd"" \\ $1" values (1, 'it''s \\ $$ $1'), (2, 'bob');
      insert into api.watched values (1, 'ann');
      insert into api.large (id, owner) select n, case when n > 9900 then 'bob' else 'ann' end from generate_series(1, 10000) as n;`,
};
