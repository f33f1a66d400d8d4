-- Own rows by a claim, one policy for all commands.
create table notes (id int primary key, owner text not null, body text);
insert into notes values (1, 'ann', 'a'), (2, 'bob', 'b');
alter table notes enable row level security;
create policy own on notes to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on notes to web_user;
