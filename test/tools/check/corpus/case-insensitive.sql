-- Names are compared without regard to case.
create table accounts (id int primary key, login text not null);
insert into accounts values (1, 'Ann'), (2, 'bob');
alter table accounts enable row level security;
create policy own on accounts to web_user using (lower(login) = lower((select current_setting('request.jwt.claims', true)::json ->> 'sub')));
grant select, update on accounts to web_user;
