-- A restrictive policy for the tenant, and permissive ones within.
create table tasks (id int primary key, tenant text not null, assignee text, title text);
insert into tasks values (1, 'acme', 'ann', 'x'), (2, 'bakery', 'bob', 'y');
alter table tasks enable row level security;
create policy same_tenant on tasks as restrictive
  using (tenant = (select current_setting('request.jwt.claims', true)::json ->> 'tenant'));
create policy colleagues_read on tasks for select to web_user using (true);
create policy own on tasks for update to web_user using (assignee = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, update on tasks to web_user;
