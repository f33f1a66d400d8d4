-- A view with the rights of its owner shows columns that everybody may see.
create table people (id int primary key, login text not null, email text, nickname text);
insert into people values (1, 'ann', 'a', 'A'), (2, 'bob', 'b', 'B');
alter table people enable row level security;
create policy own on people for select to web_user using (login = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view nicknames as select id, nickname from people;
grant select on people to web_user;
grant select on nicknames to web_anon, web_user;
