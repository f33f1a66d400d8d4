-- The id is compared as a text.
create table files (id int primary key, user_id uuid not null, path text);
insert into files values (1, 'a0000000-0000-0000-0000-000000000001', 'x'), (2, 'b0000000-0000-0000-0000-000000000002', 'y');
alter table files enable row level security;
create policy own on files to web_user
  using (user_id::text = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on files to web_user;
