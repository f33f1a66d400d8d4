create table api.orders (
  id bigint generated always as identity primary key,
  customer text not null,
  placed_at timestamptz not null default now()
);

create table api.order_items (
  order_id bigint not null references api.orders on delete cascade,
  product_id bigint not null references api.products,
  quantity integer not null check (quantity > 0),
  price numeric(10, 2) not null,
  primary key (order_id, product_id)
);
create index on api.orders (customer);
create index on api.order_items (product_id);

-- Orders are read here, and placed by the function below: nobody writes the tables themselves.
grant select on api.orders, api.order_items to web_user;

alter table api.orders enable row level security;
alter table api.order_items enable row level security;

-- `(select …)` is evaluated once for the query, not once for each row.
create policy own_orders on api.orders for select to web_user using (customer = (select private.me()));

create policy items_of_own_orders on api.order_items for select to web_user
  using (exists (select from api.orders where orders.id = order_items.order_id));

-- With security_invoker, the policies above hold for the view as well.
create view api.order_totals with (security_invoker = true) as
select orders.id, orders.placed_at, sum(items.quantity * items.price) as total
from api.orders
join api.order_items as items on items.order_id = orders.id
group by orders.id;

grant select on api.order_totals to web_user;
