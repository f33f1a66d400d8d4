-- Deleted rows are hidden, and only their owner marks them.
create table notes (id int primary key, owner text not null, deleted_at timestamptz);
insert into notes values (1, 'ann', null), (2, 'bob', null), (3, 'bob', now());
alter table notes enable row level security;
create policy own on notes for select to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub') and deleted_at is null);
create policy marks on notes for update to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub')) with check (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, update (deleted_at) on notes to web_user;
