create table api.tasks (
  id uuid primary key default gen_random_uuid(),
  list_id uuid not null references api.lists on delete cascade,
  title text not null,
  is_done boolean not null default false,
  added_by text not null default private.me(),
  created_at timestamptz not null default now(),
  constraint task_title check (length(title) between 1 and 120)
);
create index on api.tasks (list_id);

comment on constraint task_title on api.tasks is 'A task has 1 to 120 characters.';

-- The page gives the key of a new row, and when it was added, so that it can show the row before it is saved. The policy
-- checks who added it. None of these can be changed later.
grant select, insert, update (title, is_done), delete on api.tasks to web_user;

alter table api.tasks enable row level security;

create policy shared on api.tasks to web_user using (list_id in (select private.my_lists()));
create policy in_own_name on api.tasks as restrictive for insert to web_user with check (added_by = (select private.me()));
