-- POST /rpc/place_order {"items": [{"product": 1, "quantity": 2}]}
-- It runs as its owner, so that it may take from the stock; it trusts nothing but the claim of the token.
create function api.place_order(items jsonb) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  new_order bigint;
  item record;
begin
  if private.me() is null or jsonb_array_length(items) = 0 then
    raise exception 'An order needs a customer and an item' using errcode = '22023';
  end if;
  insert into api.orders (customer) values (private.me()) returning id into new_order;
  for item in select product, quantity from jsonb_to_recordset(items) as given (product bigint, quantity integer) loop
    insert into api.order_items (order_id, product_id, quantity, price)
    select new_order, products.id, item.quantity, products.price
    from api.products
    where products.id = item.product and products.is_listed;
    if not found then
      raise exception 'There is no product %', item.product using errcode = 'P0002';
    end if;
    -- The check of the column refuses more than there is.
    update api.products set stock = stock - item.quantity where products.id = item.product;
  end loop;
  return new_order;
end
$$;

revoke execute on function api.place_order from public;
grant execute on function api.place_order to web_user;
