-- Everyone may read some columns of all rows.
create table accounts (id int primary key, owner text not null, nickname text, email text);
insert into accounts values (1, 'ann', 'a', 'x'), (2, 'bob', 'b', 'y');
alter table accounts enable row level security;
create policy everyone_reads on accounts for select using (true);
create policy own on accounts for update to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select (id, nickname) on accounts to web_anon, web_user;
grant update (nickname, email) on accounts to web_user;
