-- The same with a function that returns the teams.
create table members (team text, person text, primary key (team, person));
create table files (id int primary key, team text, path text);
insert into members values ('one', 'ann'), ('two', 'bob');
insert into files values (1, 'one', 'x'), (2, 'two', 'y');
create function my_teams() returns setof text language sql stable security definer set search_path = ''
begin atomic
  select team from members where person = (select current_setting('request.jwt.claims', true)::json ->> 'sub');
end;
revoke execute on function my_teams from public;
grant execute on function my_teams to web_user;
alter table members enable row level security;
alter table files enable row level security;
create policy colleagues on members for select to web_user using (team in (select my_teams()));
create policy own on files to web_user using (team in (select my_teams()));
grant select on members to web_user;
grant select, insert, update, delete on files to web_user;
