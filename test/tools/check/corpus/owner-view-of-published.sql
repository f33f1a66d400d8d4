-- A view of what a policy shows anyway.
create table posts (id int primary key, author text not null, title text, is_published boolean not null);
insert into posts values (1, 'ann', 'a', true), (2, 'bob', 'b', true), (3, 'bob', 'c', false);
alter table posts enable row level security;
create policy published on posts for select using (is_published);
create policy own on posts to web_user using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view front_page as select * from posts where is_published;
grant select on posts, front_page to web_anon, web_user;
