-- The first folder of a path is its owner.
create table objects (id int primary key, bucket text not null, name text not null);
insert into objects values (1, 'files', 'ann/a.txt'), (2, 'files', 'bob/b.txt');
alter table objects enable row level security;
create policy own_folder on objects to web_user
  using (bucket = 'files' and split_part(name, '/', 1) = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert, update, delete on objects to web_user;
