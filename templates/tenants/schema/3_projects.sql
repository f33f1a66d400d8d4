create table api.projects (
  id bigint generated always as identity primary key,
  organization_id bigint not null references api.organizations on delete cascade,
  name text not null check (name <> ''),
  -- Lets the tasks below refer to a project and its organization together.
  unique (id, organization_id)
);
create index on api.projects (organization_id);

create table api.tasks (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null,
  title text not null check (title <> ''),
  is_done boolean not null default false,
  -- A task cannot belong to the project of another organization.
  foreign key (project_id, organization_id) references api.projects (id, organization_id) on delete cascade
);
create index on api.tasks (project_id, organization_id);

grant select, insert (organization_id, name), update (name), delete on api.projects to web_user;
grant select, insert (organization_id, project_id, title), update (title, is_done), delete on api.tasks to web_user;

alter table api.projects enable row level security;
alter table api.tasks enable row level security;

-- One policy for all commands: rows of another organization neither appear nor can be written.
create policy own on api.projects to web_user using (organization_id in (select private.my_organizations()));
create policy own on api.tasks to web_user using (organization_id in (select private.my_organizations()));
