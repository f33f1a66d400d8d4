-- A function that returns the user's id, as hosted platforms define it.
create function uid() returns uuid language sql stable as
  $$ select nullif(current_setting('request.jwt.claims', true)::json ->> 'sub', '')::uuid $$;
create table profiles (id uuid primary key, full_name text, email text);
insert into profiles values ('a0000000-0000-0000-0000-000000000001', 'Ann', 'a@example.org'),
  ('b0000000-0000-0000-0000-000000000002', 'Bob', 'b@example.org');
alter table profiles enable row level security;
create policy "Users can view own profile" on profiles for select to web_user using ((select uid()) = id);
create policy "Users can update own profile" on profiles for update to web_user using ((select uid()) = id);
grant select, update on profiles to web_user;
