-- Runs in a new database. Later changes are migrations.
\set password `cat /run/secrets/authenticator-password`

-- The server logs in as `authenticator`, which has no privileges and can switch to the two others.
create role web_anon nologin;
create role web_user nologin;
create role authenticator login noinherit password :'password';
grant web_anon, web_user to authenticator;
alter role web_anon set statement_timeout = '5s';
alter role web_user set statement_timeout = '5s';

-- Functions that are created later can be called only by roles that they are granted to.
alter default privileges revoke execute on functions from public;

create schema api;
grant usage on schema api to web_anon, web_user;

-- Everybody reads published articles; the holder of a token writes its own.
create table api.articles (
  id bigint generated always as identity primary key,
  author text not null default current_setting('request.jwt.claims', true)::json ->> 'sub',
  title text not null check (length(title) between 1 and 200),
  body text not null default '',
  published_at timestamptz
);
create index on api.articles (author);
create index on api.articles (published_at);
alter table api.articles enable row level security;
create policy read_published on api.articles for select using (published_at is not null);
create policy keep_own on api.articles to web_user
  using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'))
  with check (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on api.articles to web_anon, web_user;
grant insert (title, body, published_at), update (title, body, published_at), delete on api.articles to web_user;

-- Tells the server about changes of the schema.
create function public.notify_server() returns event_trigger language plpgsql as $$
begin
  notify svc, 'reload schema';
end $$;
create event trigger notify_server on ddl_command_end execute function public.notify_server();
