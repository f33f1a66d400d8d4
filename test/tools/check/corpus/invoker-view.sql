-- A view that reads as its caller.
create table orders (id int primary key, customer text not null, total numeric);
insert into orders values (1, 'ann', 1), (2, 'bob', 2);
alter table orders enable row level security;
create policy own on orders for select to web_user using (customer = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view totals with (security_invoker = true) as select customer, sum(total) as total from orders group by customer;
grant select on orders, totals to web_user;
