-- Another role sees everything.
create table tickets (id int primary key, customer text not null, email text);
insert into tickets values (1, 'ann', 'x'), (2, 'bob', 'y');
alter table tickets enable row level security;
create policy own on tickets to web_user using (customer = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy support_reads on tickets for select to web_admin using (true);
create policy support_answers on tickets for update to web_admin using (true);
grant select, insert, update, delete on tickets to web_user;
grant select, update on tickets to web_admin;
