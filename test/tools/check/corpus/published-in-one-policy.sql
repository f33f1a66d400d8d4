-- The same in one policy.
create table posts (id int primary key, author text not null, title text, is_published boolean not null default false);
insert into posts values (1, 'ann', 'a', true), (2, 'bob', 'b', false);
alter table posts enable row level security;
create policy readers on posts for select using (is_published or author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own on posts for update to web_user using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on posts to web_anon, web_user;
grant update on posts to web_user;
