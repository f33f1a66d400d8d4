-- Carts belong to a session in the token.
create table carts (id int primary key, session_id uuid not null, items jsonb);
insert into carts values (1, 'a0000000-0000-0000-0000-000000000001', '[]'), (2, 'b0000000-0000-0000-0000-000000000002', '[]');
alter table carts enable row level security;
create policy own on carts to web_anon, web_user
  using (session_id = (select (current_setting('request.jwt.claims', true)::json ->> 'session_id')::uuid));
grant select, insert, update, delete on carts to web_anon, web_user;
