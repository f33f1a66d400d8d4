-- A view with the rights of its owner has the condition itself.
create table messages (id int primary key, recipient text not null, body text);
insert into messages values (1, 'ann', 'x'), (2, 'bob', 'y');
alter table messages enable row level security;
create policy own on messages for select to web_user using (recipient = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view inbox with (security_barrier = true) as select id, recipient, body from messages where recipient = (select current_setting('request.jwt.claims', true)::json ->> 'sub');
grant select on inbox to web_user;
