-- Own rows, with a policy for each command.
create table notes (id int primary key, owner text not null, body text);
insert into notes values (1, 'ann', 'a'), (2, 'bob', 'b');
alter table notes enable row level security;
create policy reads on notes for select to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy adds on notes for insert to web_user with check (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy edits on notes for update to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub')) with check (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy removes on notes for delete to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on notes to web_user;
