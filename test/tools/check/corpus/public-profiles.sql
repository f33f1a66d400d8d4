-- Everyone reads profiles without personal columns, and people change their own.
create table profiles (id text primary key, nickname text, avatar text);
insert into profiles values ('ann', 'A', null), ('bob', 'B', null);
alter table profiles enable row level security;
create policy everyone_reads on profiles for select using (true);
create policy own on profiles for update to web_user using (id = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy first on profiles for insert to web_user with check (id = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on profiles to web_anon, web_user;
grant insert, update on profiles to web_user;
