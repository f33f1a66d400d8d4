-- A claim makes somebody an administrator.
create table tickets (id int primary key, customer text not null, body text);
insert into tickets values (1, 'ann', 'x'), (2, 'bob', 'y');
alter table tickets enable row level security;
create policy own on tickets to web_user using (customer = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy administrators on tickets to web_user
  using ((select current_setting('request.jwt.claims', true)::json ->> 'is_admin') = 'true');
grant select, insert, update, delete on tickets to web_user;
