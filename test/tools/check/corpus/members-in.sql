-- Membership by IN.
create table teams (id int primary key, name text);
create table members (team_id int references teams, person text, primary key (team_id, person));
create table documents (id int primary key, team_id int references teams, body text);
create index on documents (team_id);
insert into teams values (1, 'one'), (2, 'two');
insert into members values (1, 'ann'), (2, 'bob');
insert into documents values (1, 1, 'x'), (2, 2, 'y');
alter table teams enable row level security;
alter table members enable row level security;
alter table documents enable row level security;
create policy oneself on members for select to web_user using (person = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy members_read on teams for select to web_user using (id in (select team_id from members));
create policy members_all on documents to web_user using (team_id in (select team_id from members));
grant select on teams, members to web_user;
grant select, insert, update, delete on documents to web_user;
