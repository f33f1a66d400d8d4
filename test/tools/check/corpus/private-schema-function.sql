-- A function with the rights of its owner places orders; the tables cannot be written.
create table orders (id int primary key generated always as identity, customer text not null);
insert into orders (customer) values ('ann'), ('bob');
create function place_order() returns int language sql security definer set search_path = ''
begin atomic
  insert into orders (customer) values ((select current_setting('request.jwt.claims', true)::json ->> 'sub')) returning id;
end;
revoke execute on function place_order from public;
grant execute on function place_order to web_user;
alter table orders enable row level security;
create policy own on orders for select to web_user using (customer = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant select on orders to web_user;
