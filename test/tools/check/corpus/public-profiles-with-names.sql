-- Everyone may see the names of authors; it is meant.
create table authors (id text primary key, full_name text, bio text);
insert into authors values ('ann', 'Ann A', ''), ('bob', 'Bob B', '');
alter table authors enable row level security;
create policy everyone_reads on authors for select using (true);
create policy own on authors for update to web_user using (id = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on authors to web_anon, web_user;
grant update on authors to web_user;
