-- Everyone reads the catalog, and one role maintains it.
create table products (id int primary key, name text, price numeric);
insert into products values (1, 'tea', 1);
alter table products enable row level security;
create policy everyone_reads on products for select using (true);
create policy maintainers on products to web_admin using (true) with check (true);
grant select on products to web_anon, web_user, web_admin;
grant insert, update, delete on products to web_admin;
