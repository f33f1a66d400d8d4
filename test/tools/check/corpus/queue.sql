-- Workers take any job, and people add their own.
create table jobs (id int primary key, owner text not null, state text not null default 'new');
insert into jobs values (1, 'ann', 'new'), (2, 'bob', 'done');
alter table jobs enable row level security;
create policy own_adds on jobs for insert to web_user with check (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own_reads on jobs for select to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy workers on jobs to web_admin using (true) with check (true);
grant select, insert on jobs to web_user;
grant select, update on jobs to web_admin;
