-- Grants name the columns.
create table accounts (id int primary key, owner text not null, nickname text, password_hash text);
insert into accounts values (1, 'ann', 'a', 'x'), (2, 'bob', 'b', 'y');
alter table accounts enable row level security;
create policy own on accounts to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select (id, owner, nickname), update (nickname) on accounts to web_user;
