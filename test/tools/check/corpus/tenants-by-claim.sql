-- A tenant in the token.
create table invoices (id int primary key, tenant_id int not null, total numeric);
insert into invoices values (1, 7, 10), (2, 8, 20);
alter table invoices enable row level security;
create policy same_tenant on invoices to web_user
  using (tenant_id = (select (current_setting('request.jwt.claims', true)::json ->> 'tenant_id')::int));
grant select, insert, update, delete on invoices to web_user;
