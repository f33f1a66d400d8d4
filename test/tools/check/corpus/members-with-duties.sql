-- Members read, editors write.
create table members (team text, person text, duty text not null, primary key (team, person));
create table pages (id int primary key, team text, body text);
insert into members values ('one', 'ann', 'editor'), ('two', 'bob', 'reader');
insert into pages values (1, 'one', 'x'), (2, 'two', 'y');
alter table members enable row level security;
alter table pages enable row level security;
create policy oneself on members for select to web_user using (person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy members_read on pages for select to web_user using (team in (select team from members));
create policy editors_write on pages for update to web_user
  using (team in (select team from members where duty = 'editor'));
grant select on members to web_user;
grant select, update on pages to web_user;
