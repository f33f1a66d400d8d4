-- Everyone signed in edits pages; each page remembers who began it.
create table pages (id int primary key, author text not null, body text);
insert into pages values (1, 'ann', 'x'), (2, 'bob', 'y');
alter table pages enable row level security;
create policy everyone_reads on pages for select using (true);
create policy begins on pages for insert to web_user with check (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy everyone_edits on pages for update to web_user using (true);
create policy author_removes on pages for delete to web_user using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on pages to web_anon, web_user;
grant insert, update (body), delete on pages to web_user;
