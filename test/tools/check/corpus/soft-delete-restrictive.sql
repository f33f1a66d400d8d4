-- A restrictive policy hides deleted rows from everybody.
create table notes (id int primary key, owner text not null, is_deleted boolean not null default false);
insert into notes values (1, 'ann', false), (2, 'bob', true);
alter table notes enable row level security;
create policy alive on notes as restrictive for select using (not is_deleted);
create policy own on notes to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on notes to web_user;
