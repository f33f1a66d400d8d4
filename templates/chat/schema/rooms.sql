create table api.rooms (
  id bigint generated always as identity primary key,
  name text not null unique check (name <> '')
);

create table api.members (
  room_id bigint not null references api.rooms on delete cascade,
  person text not null default private.me(),
  joined_at timestamptz not null default now(),
  primary key (room_id, person)
);
create index on api.members (person);

grant select on api.rooms to web_anon, web_user;
grant select, delete on api.members to web_user;
grant insert (room_id) on api.members to web_user;

alter table api.rooms enable row level security;
alter table api.members enable row level security;

create policy rooms_are_public on api.rooms for select using (true);

-- Asks the table of members without its policy, which would ask this function again.
create function private.is_member(room bigint) returns boolean
language sql stable security definer set search_path = ''
return exists (select from api.members where room_id = room and person = private.me());

revoke execute on function private.is_member from public;
grant execute on function private.is_member to web_user;

-- One's own row as well: PostgreSQL asks for the row that is inserted, when nobody is a member yet.
create policy members_see_each_other on api.members for select to web_user
  using (person = (select private.me()) or private.is_member(room_id));
create policy join_oneself on api.members for insert to web_user with check (person = (select private.me()));
create policy leave_oneself on api.members for delete to web_user using (person = (select private.me()));
