-- Sender and recipient read a message, and only the sender writes it.
create table messages (id int primary key, sender text not null, recipient text not null, body text);
insert into messages values (1, 'ann', 'bob', 'x'), (2, 'bob', 'cy', 'y');
alter table messages enable row level security;
create policy both_read on messages for select to web_user using ((select current_setting('request.jwt.claims', true)::json ->> 'sub') in (sender, recipient));
create policy sender_writes on messages for insert to web_user with check (sender = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select, insert on messages to web_user;
