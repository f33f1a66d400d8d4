-- Membership by EXISTS; members see themselves only.
create table teams (id int primary key, name text);
create table members (team_id int references teams, person text, primary key (team_id, person));
insert into teams values (1, 'one'), (2, 'two');
insert into members values (1, 'ann'), (2, 'bob');
alter table teams enable row level security;
alter table members enable row level security;
create policy oneself on members for select to web_user using (person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy members_read on teams for select to web_user
  using (exists (select from members where members.team_id = teams.id and members.person = (select current_setting('request.jwt.claims', true)::json ->> 'sub')));
grant select on teams, members to web_user;
