-- A list in the token.
create table stores (id int primary key, region text not null);
insert into stores values (1, 'north'), (2, 'south');
alter table stores enable row level security;
create policy regions on stores to web_user using (region in (
  select jsonb_array_elements_text(coalesce(current_setting('request.jwt.claims', true)::jsonb -> 'regions', '[]'))));
grant select, update on stores to web_user;
