-- The rows of a child follow the parent, whose policy applies within the subselect.
create table orders (id int primary key, customer text not null);
create table items (order_id int references orders, product text, primary key (order_id, product));
insert into orders values (1, 'ann'), (2, 'bob');
insert into items values (1, 'tea'), (2, 'cup');
alter table orders enable row level security;
alter table items enable row level security;
create policy own on orders for select to web_user using (customer = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
create policy own on items for select to web_user using (exists (select from orders where orders.id = items.order_id));
grant select on orders, items to web_user;
