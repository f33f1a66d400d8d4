-- A tenant below app_metadata, which only the issuer writes.
create table invoices (id int primary key, tenant text not null, total numeric);
insert into invoices values (1, 'acme', 10), (2, 'bakery', 20);
alter table invoices enable row level security;
create policy same_tenant on invoices to web_user
  using (tenant = (select current_setting('request.jwt.claims', true)::json -> 'app_metadata' ->> 'tenant'));
grant select, insert, update, delete on invoices to web_user;
