create table api.products (
  id bigint generated always as identity primary key,
  name text not null,
  price numeric(10, 2) not null check (price >= 0),
  stock integer not null check (stock >= 0),
  is_listed boolean not null default true
);
comment on table api.products is 'What the shop sells';

grant select on api.products to web_anon, web_user;

alter table api.products enable row level security;

create policy listed_ones on api.products for select using (is_listed);
