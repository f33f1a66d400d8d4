-- Visitors leave messages for the owner of a page.
create table requests (id int primary key, owner text not null, body text);
insert into requests values (1, 'ann', 'x'), (2, 'bob', 'y');
alter table requests enable row level security;
create policy own on requests for select to web_user using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy anybody_asks on requests for insert with check (true);
grant insert on requests to web_anon, web_user;
grant select on requests to web_user;
