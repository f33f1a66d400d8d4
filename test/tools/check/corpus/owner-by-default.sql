-- The owner is a default, which nobody may give.
create table notes (id int primary key generated always as identity, body text,
  owner text not null default current_setting('request.jwt.claims', true)::json ->> 'sub');
insert into notes (owner, body) values ('ann', 'x'), ('bob', 'y');
alter table notes enable row level security;
create policy own on notes to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert (body), update (body), delete on notes to web_user;
