-- The same for writes.
create table lists (id int primary key, owner text not null);
create table entries (id int primary key, list_id int not null references lists, body text);
create index on entries (list_id);
insert into lists values (1, 'ann'), (2, 'bob');
insert into entries values (1, 1, 'x'), (2, 2, 'y');
alter table lists enable row level security;
alter table entries enable row level security;
create policy own on lists to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own on entries to web_user using (exists (select from lists where lists.id = list_id and lists.owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub')));
grant select, insert, update, delete on lists, entries to web_user;
