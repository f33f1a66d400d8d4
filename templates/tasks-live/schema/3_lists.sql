-- Lists belong to the person who makes them. The owner shares a list with others, who may then do everything with its tasks.
create table api.lists (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  owner text not null default private.me() references private.accounts on delete cascade,
  created_at timestamptz not null default now(),
  constraint list_name check (length(name) between 1 and 40)
);
create index on api.lists (owner);

create table api.members (
  list_id uuid not null references api.lists on delete cascade,
  person text not null,
  primary key (list_id, person),
  constraint member_exists foreign key (person) references private.accounts on delete cascade
);
create index on api.members (person);

-- The messages of errors: what the page shows when it takes a write back.
comment on constraint list_name on api.lists is 'The name of a list has 1 to 40 characters.';
comment on constraint member_exists on api.members is 'Nobody has this name.';

-- The lists that the person owns, and those that the person may see. They read the tables without their policies, which
-- would call these functions again. With BEGIN ATOMIC, the database knows on which tables the functions depend, so live
-- rows appear and disappear as soon as a list is shared or no longer shared.
create function private.own_lists() returns setof uuid
language sql stable security definer set search_path = ''
begin atomic
  select id from api.lists where owner = private.me();
end;

create function private.my_lists() returns setof uuid
language sql stable security definer set search_path = ''
begin atomic
  select id from api.lists where owner = private.me()
  union
  select list_id from api.members where person = private.me();
end;

revoke execute on function private.own_lists, private.my_lists from public;
grant execute on function private.own_lists, private.my_lists to web_user;

grant select, insert, update (name), delete on api.lists to web_user;
grant select, insert, delete on api.members to web_user;

alter table api.lists enable row level security;
alter table api.members enable row level security;

create policy shared on api.lists for select to web_user
  using (owner = (select private.me()) or id in (select private.my_lists()));
create policy add_own on api.lists for insert to web_user with check (owner = (select private.me()));
create policy rename_own on api.lists for update to web_user using (owner = (select private.me()));
create policy delete_own on api.lists for delete to web_user using (owner = (select private.me()));

create policy shared on api.members for select to web_user using (list_id in (select private.my_lists()));
create policy share_own on api.members for insert to web_user
  with check (list_id in (select private.own_lists()) and person <> (select private.me()));
create policy unshare_own_or_leave on api.members for delete to web_user
  using (list_id in (select private.own_lists()) or person = (select private.me()));
