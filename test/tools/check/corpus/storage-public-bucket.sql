-- One bucket is public, the other belongs to people.
create table objects (id int primary key, bucket text not null, name text not null, owner text);
insert into objects values (1, 'avatars', 'a.png', 'ann'), (2, 'files', 'b.txt', 'bob'), (3, 'avatars', 'b.png', 'bob');
alter table objects enable row level security;
create policy avatars on objects for select using (bucket = 'avatars');
create policy own on objects to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on objects to web_anon, web_user;
grant insert, update, delete on objects to web_user;
