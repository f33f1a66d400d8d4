-- An inherited table with policies of its own.
create table notes (id int primary key, owner text not null, body text);
create table pinned (primary key (id)) inherits (notes);
insert into notes values (1, 'ann', 'x');
insert into pinned values (2, 'bob', 'y');
alter table notes enable row level security;
alter table pinned enable row level security;
create policy own on notes to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own on pinned to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on notes, pinned to web_user;
