-- Anybody signed in may claim an open job.
create table jobs (id int primary key, assignee text, title text);
insert into jobs values (1, 'ann', 'x'), (2, 'bob', 'y'), (3, null, 'z');
alter table jobs enable row level security;
create policy open_or_own on jobs for select to web_user using (assignee is null or assignee = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy claims on jobs for update to web_user using (assignee is null or assignee = (select current_setting('request.jwt.claims', true)::json ->> 'sub')) with check (assignee = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, update on jobs to web_user;
