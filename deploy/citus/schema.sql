-- A schema for many tenants. Run it on the coordinator, statement by statement, as psql does: Citus creates the roles, the
-- tables and the policies on the other nodes.

-- The nodes contact each other as the role of the request, so every role may log in. pg_hba.conf decides from where.
create role web_anon login;
create role app_user login;
create role authenticator login noinherit;
grant web_anon, app_user to authenticator;
alter role web_anon set statement_timeout = '5s';
alter role app_user set statement_timeout = '5s';

create schema api;
grant usage on schema api to web_anon, app_user;

-- A table refers to distributed tables before it is one itself.
set citus.enable_local_reference_table_foreign_keys = off;

-- Rows that all tenants share: each node has a copy.
create table api.labels (id int primary key, name text not null unique);
select create_reference_table('api.labels');

-- Each key and each foreign key contains the tenant, so related rows are on the same shard.
create table api.tenants (tenant_id int primary key, name text not null);
select create_distributed_table('api.tenants', 'tenant_id');

create table api.projects (
  tenant_id int references api.tenants,
  id bigint generated always as identity,
  name text not null,
  primary key (tenant_id, id)
);
select create_distributed_table('api.projects', 'tenant_id', colocate_with => 'api.tenants');

create table api.tasks (
  tenant_id int,
  id bigint generated always as identity,
  project_id bigint not null,
  label_id int references api.labels,
  title text not null,
  done boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, project_id) references api.projects
);
select create_distributed_table('api.tasks', 'tenant_id', colocate_with => 'api.projects');
create index on api.tasks (tenant_id, project_id);
create index on api.tasks (label_id);

-- Citus takes no policy that contains a subselect.
alter table api.tenants enable row level security;
alter table api.projects enable row level security;
alter table api.tasks enable row level security;
create policy own on api.tenants for select to app_user
  using (tenant_id = (current_setting('request.jwt.claims', true)::json ->> 'tenant_id')::int);
create policy own on api.projects to app_user
  using (tenant_id = (current_setting('request.jwt.claims', true)::json ->> 'tenant_id')::int);
create policy own on api.tasks to app_user
  using (tenant_id = (current_setting('request.jwt.claims', true)::json ->> 'tenant_id')::int);

grant select on api.labels to web_anon, app_user;
grant select on api.tenants to app_user;
grant select, insert, update, delete on api.projects, api.tasks to app_user;
grant usage on all sequences in schema api to app_user;

insert into api.labels values (1, 'urgent'), (2, 'later');
insert into api.tenants values (1, 'Bakery'), (2, 'Library');
