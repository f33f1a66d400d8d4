-- What is published is public; drafts are their author's.
create table posts (id int primary key, author text not null, title text, is_published boolean not null default false);
insert into posts values (1, 'ann', 'a', true), (2, 'bob', 'b', false), (3, 'bob', 'c', true);
alter table posts enable row level security;
create policy published on posts for select using (is_published);
create policy own on posts to web_user using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on posts to web_anon, web_user;
grant insert, update, delete on posts to web_user;
