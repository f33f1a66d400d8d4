insert into api.products (name, price, stock, is_listed) values
  ('Kettle', 39.90, 12, true),
  ('Teapot', 24.50, 5, true),
  ('Cup', 6.00, 80, true),
  ('Samovar', 310.00, 1, false);

insert into api.orders (customer) values ('ann'), ('bob');
insert into api.order_items (order_id, product_id, quantity, price) values (1, 1, 1, 39.90), (1, 3, 4, 6.00), (2, 2, 1, 24.50);
