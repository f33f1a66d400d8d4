-- Friends see each other's entries.
create table friendships (one text, other text, primary key (one, other));
create table entries (id int primary key, author text not null, body text);
insert into friendships values ('ann', 'bob');
insert into entries values (1, 'ann', 'x'), (2, 'bob', 'y'), (3, 'cy', 'z');
alter table friendships enable row level security;
alter table entries enable row level security;
create policy own on friendships for select to web_user using ((select current_setting('request.jwt.claims', true)::json ->> 'sub') in (one, other));
create policy own on entries to web_user using (author = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy of_friends on entries for select to web_user
  using (author in (select other from friendships where one = (select current_setting('request.jwt.claims', true)::json ->> 'sub') union select one from friendships where other = (select current_setting('request.jwt.claims', true)::json ->> 'sub')));
grant select on friendships to web_user;
grant select, insert, update, delete on entries to web_user;
