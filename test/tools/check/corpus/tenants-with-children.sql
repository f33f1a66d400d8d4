-- The children repeat the tenant, and a foreign key of both columns keeps them together.
create table projects (id int primary key, tenant text not null, name text, unique (id, tenant));
create table tasks (id int primary key, tenant text not null, project_id int, title text,
  foreign key (project_id, tenant) references projects (id, tenant));
create index on tasks (project_id, tenant);
insert into projects values (1, 'acme', 'p'), (2, 'bakery', 'q');
insert into tasks values (1, 'acme', 1, 't'), (2, 'bakery', 2, 'u');
alter table projects enable row level security;
alter table tasks enable row level security;
create policy own on projects to web_user
  using (tenant = (select current_setting('request.jwt.claims', true)::json ->> 'tenant'));
create policy own on tasks to web_user
  using (tenant = (select current_setting('request.jwt.claims', true)::json ->> 'tenant'));
grant select, insert, update, delete on projects, tasks to web_user;
