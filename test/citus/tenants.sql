-- 20 tenants, distributed by tenant. Each has 5 projects, 40 tasks and 20 comments.
do $$
begin
  if to_regrole('web_anon') is null then create role web_anon; end if;
  if to_regrole('app_user') is null then create role app_user; end if;
  if to_regrole('tenant_gate') is null then create role tenant_gate noinherit; end if;
end $$;
-- Citus connects to workers as the role of the request.
alter role web_anon login;
alter role app_user login;
alter role tenant_gate login;
grant web_anon, app_user to tenant_gate;

set citus.shard_count = 8;
set citus.enable_local_reference_table_foreign_keys = off;
create schema api;
grant usage on schema api to web_anon, app_user;

create table api.label (label_id int primary key, name text not null unique);
select create_reference_table('api.label');

create table api.tenant (tenant_id int primary key, name text not null);
select create_distributed_table('api.tenant', 'tenant_id', colocate_with => 'none');

create table api.project (
  tenant_id int not null references api.tenant,
  project_id int not null,
  name text not null,
  primary key (tenant_id, project_id)
);
select create_distributed_table('api.project', 'tenant_id', colocate_with => 'api.tenant');

create table api.task (
  tenant_id int not null,
  task_id bigint not null,
  project_id int not null,
  label_id int references api.label,
  title text not null check (title <> ''),
  done boolean not null default false,
  points int,
  body jsonb,
  tags text[],
  created_at timestamptz not null default '2024-05-06 07:08:09+00',
  primary key (tenant_id, task_id),
  unique (tenant_id, title),
  foreign key (tenant_id, project_id) references api.project
);
select create_distributed_table('api.task', 'tenant_id', colocate_with => 'api.tenant');
comment on constraint task_tenant_id_title_key on api.task is 'A tenant has a task of this title.';
create index on api.task (tenant_id, points);

create table api.comment (
  tenant_id int not null,
  comment_id bigint not null,
  task_id bigint not null,
  text text,
  primary key (tenant_id, comment_id),
  foreign key (tenant_id, task_id) references api.task
);
select create_distributed_table('api.comment', 'tenant_id', colocate_with => 'api.tenant');

create table api.note (
  tenant_id int not null,
  id bigint generated always as identity,
  body text,
  n int,
  primary key (tenant_id, id)
);
select create_distributed_table('api.note', 'tenant_id', colocate_with => 'api.tenant');

create table api.counter (tenant_id int primary key, n int not null);
select create_distributed_table('api.counter', 'tenant_id', colocate_with => 'api.tenant');

-- Distributed by another column, so that no join with the tables above is local.
create table api.visit (visit_id bigint primary key, tenant_id int not null, page text not null);
select create_distributed_table('api.visit', 'visit_id', colocate_with => 'none');

-- Not distributed.
create table api.setting (name text primary key, value text);

create view api.open_task with (security_invoker) as select tenant_id, task_id, title, points from api.task where not done;

insert into api.label select i, 'label ' || i from generate_series(1, 20) as i;
insert into api.tenant select i, 'Tenant ' || i from generate_series(1, 20) as i;
insert into api.project select t, p, 'Project ' || p from generate_series(1, 20) as t, generate_series(1, 5) as p;
insert into api.counter select t, 0 from generate_series(1, 20) as t;
insert into api.task (tenant_id, task_id, project_id, label_id, title, done, points, body, tags)
  select t, i, 1 + i % 5, 1 + i % 20, 'Task ' || i, i % 3 = 0, i % 13, jsonb_build_object('k', i), array['a', 'b' || i % 5]
  from generate_series(1, 20) as t, generate_series(1, 40) as i;
insert into api.comment
  select t, i, 1 + i % 40, 'Comment ' || i from generate_series(1, 20) as t, generate_series(1, 20) as i;
insert into api.visit select i, 1 + i % 20, '/page/' || i % 7 from generate_series(1, 100) as i;
insert into api.setting values ('color', 'red'), ('size', null);

create function api.tenant_id() returns int language sql stable as
  $$ select (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'tenant_id')::int $$;
create function api.add_them(a int, b int) returns int language sql immutable as 'select a + b';
create function api.tasks_by_sql(tenant int) returns setof api.task language sql stable as
  'select * from api.task where tenant_id = tenant';
create function api.tasks_of(tenant int) returns setof api.task language plpgsql stable as
  $$ begin return query select * from api.task where tenant_id = tenant order by task_id; end $$;

alter table api.task enable row level security;
alter table api.comment enable row level security;
alter table api.note enable row level security;
create policy everyone on api.task to web_anon using (true);
create policy everyone on api.comment to web_anon using (true);
create policy everyone on api.note to web_anon using (true);
create policy own on api.task to app_user
  using (tenant_id = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'tenant_id')::int);
create policy own on api.comment to app_user
  using (tenant_id = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'tenant_id')::int);
create policy own on api.note to app_user
  using (tenant_id = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'tenant_id')::int);

grant all on all tables in schema api to web_anon, app_user;
grant usage on all sequences in schema api to web_anon, app_user;
