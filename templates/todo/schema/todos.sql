-- One list that everyone shares. The schema `api` is served; nothing else is.
create schema api;
grant usage on schema api to web_anon;

create table api.todos (
  id bigint generated always as identity primary key,
  title text not null check (title <> '' and length(title) <= 200),
  is_done boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table api.todos is 'What is to be done';

-- Privileges say which columns a role may write at all …
grant select, delete on api.todos to web_anon;
grant insert (title), update (title, is_done) on api.todos to web_anon;

-- … and policies say which rows.
alter table api.todos enable row level security;

create policy everyone_reads on api.todos for select to web_anon using (true);

create policy new_ones_are_open on api.todos for insert to web_anon with check (not is_done);

-- Once it is done, a todo keeps its title: only the open ones, and what becomes of them, may change.
create policy open_ones_change on api.todos for update to web_anon using (not is_done) with check (true);

create policy done_ones_go on api.todos for delete to web_anon using (is_done);
