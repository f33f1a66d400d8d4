create table api.organizations (
  id bigint generated always as identity primary key,
  name text not null check (name <> '')
);

create type api.duty as enum ('member', 'admin');

create table api.memberships (
  organization_id bigint not null references api.organizations on delete cascade,
  person text not null,
  duty api.duty not null default 'member',
  primary key (organization_id, person)
);
create index on api.memberships (person);

-- The organizations of the person, and those that the person administers. They ask the table of memberships without its
-- policies, which would ask these functions again.
create function private.my_organizations() returns setof bigint
language sql stable security definer set search_path = ''
begin atomic
  select organization_id from api.memberships where person = private.me();
end;

create function private.organizations_i_run() returns setof bigint
language sql stable security definer set search_path = ''
begin atomic
  select organization_id from api.memberships where person = private.me() and duty = 'admin';
end;

revoke execute on function private.my_organizations, private.organizations_i_run from public;
grant execute on function private.my_organizations, private.organizations_i_run to web_user;

grant select, update (name) on api.organizations to web_user;
grant select, insert, update (duty), delete on api.memberships to web_user;

alter table api.organizations enable row level security;
alter table api.memberships enable row level security;

create policy own on api.organizations for select to web_user using (id in (select private.my_organizations()));
create policy admins_rename on api.organizations for update to web_user using (id in (select private.organizations_i_run()));

create policy colleagues on api.memberships for select to web_user
  using (organization_id in (select private.my_organizations()));
create policy admins_invite on api.memberships for insert to web_user
  with check (organization_id in (select private.organizations_i_run()));
create policy admins_change on api.memberships for update to web_user
  using (organization_id in (select private.organizations_i_run()));
create policy admins_remove on api.memberships for delete to web_user
  using (organization_id in (select private.organizations_i_run()));
